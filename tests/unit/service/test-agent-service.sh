#!/bin/bash
# test-agent-service.sh: test that a program in a sandbox records, lists processes and runs commands
# through the D-Bus service of the agent, as far as polkit permits it to its user
#
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A bus, polkitd, the agent and its policy are set up in a mount namespace of the test's own. The
# sandbox is only claimed, by TAILBACK_FLATPAK_INFO; tests/flatpak/run has a real one. Output: TAP.
set -u
cli=$1 policy=$2 service=$3
user=$(id -un 65534)
parent=${TMPDIR:-/tmp}

as_user () {
  env -u TAILBACK_AGENT HOME=/ SHELL=/bin/sh \
    setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@"
}
# The unprivileged user writes into this folder, too, so it must be able to enter it.
as_user test -x "$parent" 2>/dev/null || parent=/tmp
here=${TEST_SERVICE_INSIDE:-$(mktemp -d "$parent/tailback-service-XXXXXX")}

skip () { echo "1..0 # SKIP $*"; rm -rf "$here"; exit 0; }
[ "$(id -u)" = 0 ] || skip "needs root, to set up a polkit of its own"
for program in dbus-daemon gdbus setpriv unshare; do
  command -v "$program" >/dev/null || skip "no $program here"
done
polkitd=/usr/lib/polkit-1/polkitd
[ -x "$polkitd" ] || skip "no polkitd here"
unshare --mount true 2>/dev/null || skip "no mount namespaces here"
if [ -z "${TEST_SERVICE_INSIDE:-}" ]; then
  TEST_SERVICE_INSIDE=$here unshare --mount --propagation private "$0" "$@"
  code=$?
  rm -rf "$here"
  exit $code
fi

fails=0 n=0
check () {   # STATUS TEXT
  n=$((n + 1))
  if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fails=1; fi
}
show () { sed 's/^/# /' <<<"$1"; }
cleanup () { kill $bus $authority 2>/dev/null; wait 2>/dev/null; }
trap cleanup EXIT
bus='' authority=''

mkdir -p "$here"/{actions,rules,services,out}
chmod 755 "$here" "$here"/*
chown "$user" "$here/out"
cp /usr/share/polkit-1/actions/org.freedesktop.policykit.policy "$here/actions/"
cp "$policy" "$here/actions/org.tailback.agent.policy"
mount --bind "$here/actions" /usr/share/polkit-1/actions
mount --bind "$here/rules" /etc/polkit-1/rules.d
rule () {   # ACTION RESULT…
  { echo 'polkit.addRule(function (action, subject) {'
    while [ $# -gt 0 ]; do
      echo "if (action.id == 'org.tailback.agent.$1') return polkit.Result.$2;"
      shift 2
    done
    echo '});'; } >"$here/rules/10-test.rules"
  chmod 644 "$here/rules/10-test.rules"
}
# A bus of the type "system" would start services by a program that looks for them in /usr/share.
cat >"$here/bus.conf" <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path=$here/bus</listen>
  <auth>EXTERNAL</auth>
  <servicedir>$here/services</servicedir>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
END
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$here/bus
dbus-daemon --config-file="$here/bus.conf" --nofork --nopidfile >"$here/bus.log" 2>&1 & bus=$!
for _ in $(seq 50); do [ -S "$here/bus" ] && break; sleep 0.1; done

call () {   # METHOD ARGUMENT…
  gdbus call --system --timeout 20 --dest org.tailback.Agent --object-path /org/tailback/Agent \
    --method "org.tailback.Agent1.$1" "${@:2}" 2>&1
}
call_bus () {   # METHOD ARGUMENT…
  gdbus call --system --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
    --method "org.freedesktop.DBus.$1" "${@:2}" 2>&1
}
start_authority () {
  [ -z "$authority" ] || { kill $authority; wait $authority 2>/dev/null; }
  env -u G_DEBUG -u MALLOC_PERTURB_ "$polkitd" --no-debug >"$here/polkitd.log" 2>&1 & authority=$!
  for _ in $(seq 50); do
    call_bus NameHasOwner org.freedesktop.PolicyKit1 | grep -q true && return 0
    sleep 0.1
  done
  return 1
}
printf '[Flatpak Instance]\ninstance-id=1\n' >"$here/flatpak-info"
record () {   # FILE ARGUMENT…
  as_user env TAILBACK_FLATPAK_INFO="$here/flatpak-info" "$cli" record --duration 0.5 -o "$@" 2>&1
}

# Without the service
missing='Install the package tailback-agent'
output=$(record "$here/out/none.tailback" --scope system)
[ $? = 1 ]; check $? "without an agent on the computer nothing is recorded"
show "$output"
grep -q "$missing" <<<"$output"; check $? "and the remedy is one that helps"
! grep -qi 'root\|cap_perfmon\|sudo' <<<"$output"
check $? "no advice that cannot help in a sandbox"
output=$(record "$here/out/none.tailback" -- true)
[ $? = 1 ] && grep -q "$missing" <<<"$output"; check $? "nor is a command run in the sandbox"
[ ! -e "$here/out/none.tailback" ]; check $? "and no file is made"

# With it
printf '[D-BUS Service]\nName=org.tailback.Agent\nExec=%s --agent %s\n' "$service" \
  "$TAILBACK_AGENT" >"$here/services/org.tailback.Agent.service"
call_bus ReloadConfig >/dev/null
rule record-system YES record-own YES run-command YES inspect YES
start_authority || { show "$(cat "$here/polkitd.log" "$here/bus.log")"; skip "no polkitd starts"; }

output=$(record "$here/out/system.tailback" --scope system --collector perf)
check $? "D-Bus starts the service, which records the system"
show "$output"
info=$(as_user "$cli" info "$here/out/system.tailback" 2>&1)
grep -q '^Events: switch [1-9]' <<<"$info"; check $? "there are switches"
grep -q ' kthreadd ' <<<"$info"; check $? "of threads that are not the user's"

output=$(record "$here/out/command.tailback" --collector perf -- sh -c 'id -un; exit 7')
show "$output"
grep -qx "$user" <<<"$output"; check $? "a command runs as the user"
grep -q 'exited with status 7$' <<<"$output"; check $? "and its exit status is reported"
output=$(record "$here/out/missing.tailback" --collector perf -- no-such-program)
show "$output"
grep -q 'no-such-program.* cannot be started: No such file' <<<"$output"
check $? "a missing program is named"

sleep 30 & sleeper=$!
output=$(call ListProcesses)
grep -q "($sleeper, 'sleep', 'sleep 30')" <<<"$output"; check $? "processes are listed"
output=$(as_user bash -c "$(declare -f call); call OpenFile $sleeper maps")
show "$output"
grep -q AccessDenied <<<"$output"; check $? "files of another user's process are not opened"
output=$(call OpenFile "$sleeper" ../../../etc/shadow; call OpenFile "$sleeper" environ
         call OpenFile "$sleeper" /etc/passwd; call OpenFile -- -1 maps)
show "$output"
[ "$(grep -c Error <<<"$output")" = 4 ]
check $? "only maps, the program and mapped files can be opened"
output=$(call SendSignal "$sleeper" 9)
grep -q AccessDenied <<<"$output" && kill -0 $sleeper
check $? "signals reach only commands that the service started"
output=$(call Record everything ''; call Record own fast; call StartCommand '[]' '' '[]' '[]')
show "$output"
[ "$(grep -c InvalidArgs <<<"$output")" = 3 ]; check $? "arguments are checked"
kill $sleeper

# Without the right to
rule record-system NO record-own NO run-command NO inspect NO
start_authority
output=$(record "$here/out/refused.tailback" --scope system)
[ $? = 1 ] && grep -q 'does not permit recording' <<<"$output"
check $? "a user that is not authorized records nothing"
show "$output"
output=$(record "$here/out/refused.tailback" -- touch "$here/out/touched")
[ $? = 1 ] && [ ! -e "$here/out/touched" ]; check $? "and runs no command"
show "$output"
output=$(as_user bash -c "$(declare -f call); call ListProcesses")
grep -q AccessDenied <<<"$output"; check $? "and lists no processes"
[ ! -e "$here/out/refused.tailback" ]; check $? "and no file is made"
left=1
for _ in $(seq 50); do pgrep -f "^$TAILBACK_AGENT" >/dev/null || { left=0; break; }; sleep 0.1; done
check $left "no agent is left"
echo "1..$n"
exit $fails
