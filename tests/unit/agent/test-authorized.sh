#!/bin/bash
# test-authorized.sh: test that an unprivileged user can record the whole system through polkit with
# a rule that permits it
#
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A system bus, polkitd, the installed agent and its policy are set up in a mount namespace of the
# test's own. Output: TAP.
set -u
cli=$1 policy=$2 installed=$3 user=nobody
parent=${TMPDIR:-/tmp}
# The unprivileged user writes into this folder, too, so it must be able to enter it.
setpriv --reuid "$user" --regid "$(id -g $user)" --clear-groups -- test -x "$parent" 2>/dev/null || parent=/tmp
here=${TEST_AUTHORIZED_INSIDE:-$(mktemp -d "$parent/tailback-authorized-XXXXXX")}

skip () { echo "1..0 # SKIP $*"; rm -rf "$here"; exit 0; }
[ "$(id -u)" = 0 ] || skip "needs root, to set up a polkit of its own"
for program in dbus-daemon pkexec setpriv unshare; do
  command -v "$program" >/dev/null || skip "no $program here"
done
polkitd=/usr/lib/polkit-1/polkitd
[ -x "$polkitd" ] || skip "no polkitd here"
unshare --mount true 2>/dev/null || skip "no mount namespaces here"
[ "${TEST_AUTHORIZED_INSIDE:-}" ] || { TEST_AUTHORIZED_INSIDE=$here unshare --mount --propagation private "$0" "$@"; code=$?; rm -rf "$here"; exit $code; }

fails=0 n=0
check () { n=$((n + 1)); if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fails=1; fi; }
cleanup () { kill $bus $authority 2>/dev/null; wait 2>/dev/null; }
trap cleanup EXIT
bus='' authority=''

mkdir -p "$here"/{run,actions,rules,libexec}
chmod 755 "$here" "$here"/*
mkdir -p /run/dbus "$(dirname "$installed")"
mount --bind "$here/run" /run/dbus || skip "cannot mount in a namespace"
cp /usr/share/polkit-1/actions/org.freedesktop.policykit.policy "$here/actions/"
cp "$policy" "$here/actions/org.tailback.agent.policy"
mount --bind "$here/actions" /usr/share/polkit-1/actions
mount --bind "$here/rules" /etc/polkit-1/rules.d
cp "$TAILBACK_AGENT" "$here/libexec/tailback-agent"
mount --bind "$here/libexec" "$(dirname "$installed")"
rule () { printf 'polkit.addRule(function (action, subject) { if (action.id == "%s") return polkit.Result.%s; });\n' "$1" "$2" >"$here/rules/10-test.rules"; chmod 644 "$here/rules/10-test.rules"; }

start_authority () {
  env -u G_DEBUG -u MALLOC_PERTURB_ "$polkitd" --no-debug >"$here/polkitd.log" 2>&1 & authority=$!
  for _ in $(seq 50); do
    dbus-send --system --dest=org.freedesktop.DBus --print-reply /org/freedesktop/DBus org.freedesktop.DBus.NameHasOwner \
      string:org.freedesktop.PolicyKit1 2>/dev/null | grep -q 'boolean true' && return 0
    sleep 0.1
  done
  return 1
}
dbus-daemon --system --nofork --nopidfile --address=unix:path=/run/dbus/system_bus_socket >"$here/bus.log" 2>&1 & bus=$!
for _ in $(seq 50); do [ -S /run/dbus/system_bus_socket ] && break; sleep 0.1; done
rule org.tailback.agent.record-system YES
start_authority || { sed 's/^/# /' "$here/polkitd.log" "$here/bus.log"; skip "polkitd does not start here"; }

as_user () { env -u TAILBACK_AGENT HOME=/ SHELL=/bin/sh setpriv --reuid "$user" --regid "$(id -g $user)" --clear-groups -- "$@"; }
no_agent () {
  for _ in $(seq 50); do pgrep -f "^$installed" >/dev/null || return 0; sleep 0.1; done
  return 1
}

mkdir "$here/out"; chown "$user" "$here/out"
record () { as_user "$cli" record --scope system --duration 0.5 --option authorize=system --option kernel-stacks=yes -o "$1" 2>&1; }

output=$(record "$here/out/system.tailback")
check $? "an authorized user records the system"
sed 's/^/# /' <<<"$output"
info=$(as_user "$cli" info "$here/out/system.tailback" 2>&1)
grep -q '^Events: switch [1-9]' <<<"$info"; check $? "there are switches"
grep -q ' kthreadd ' <<<"$info"; check $? "of threads that are not the user's"
named=$(sqlite3 "$here/out/system.tailback" "SELECT count(*) FROM all_frames WHERE function = '__schedule'" 2>&1)
echo "# $named"
[ "$named" -gt 0 ] 2>/dev/null; check $? "kernel functions are named, though the user may not see kallsyms"
no_agent; check $? "no agent is left"

rule org.tailback.agent.record-system NO
kill $authority; wait $authority 2>/dev/null; start_authority
output=$(record "$here/out/refused.tailback")
[ $? = 1 ]; check $? "a user that is not authorized does not"
sed 's/^/# /' <<<"$output"
grep -qi 'not authorized\|dismissed' <<<"$output"; check $? "and gets a message about that"
[ ! -e "$here/out/refused.tailback" ]; check $? "and no file is made"
no_agent; check $? "no agent is left then either"
echo "1..$n"
exit $fails
