#!/bin/bash
# perf 6.12 (perf sched timehist) with recordings of Linux 6.18 (Debian 13)
#
# Guess: perf sched timehist shows the wait of `sleep 0.2`: a row of sleep with a wait time of 200
#   ms, before it ends.
# Behaviour: there is none. perf forgets a thread at its EXIT record. The kernel writes that before
#   the last switch away from the thread, which then belongs to a second thread without name and
#   history (":TID"): its wait time is 0, and the sleep is in no row. A wait that is followed by
#   the end of the process is always lost, with the last run under another name. perf 6.1 does not
#   forget threads: the same row has the name and a wait time there.
# Output seen: of 10 processes 0 have a row of sleep with 190 ms or more of wait time, 10 a last
#   row named by TID with a wait time of 0
#
# Needs root, mmdebstrap and Debian's packages; leaves nothing. Exits with 0 while it behaves so, 1
# when that changes.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf --one-file-system "$tree"' EXIT
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
  sed -n 's/^URIs: *//p; s/^deb *\(\[[^]]*\] *\)\?\([^ ]*\).*/\2/p' |
  grep -v security | head -n 1) || true
mmdebstrap --quiet --mode=root --variant=apt --aptopt='APT::Install-Recommends "false"' \
  --include='linux-perf=6.12.*' trixie "$tree" "deb $mirror trixie main" >&2

echo 'i=0; while [ $i -lt 10 ]; do sleep 0.2; i=$((i + 1)); done' > "$tree/root/sleeps.sh"
unshare --mount sh -c '
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mount --rbind /dev "$1/dev"
  exec chroot "$1" perf sched record -q -B -N -o /root/sleeps.data \
    sh /root/sleeps.sh' sh "$tree" >&2
chroot "$tree" perf sched timehist -i /root/sleeps.data > "$tree/root/rows.txt"
python3 - "$tree/root/rows.txt" <<'PYTHON'
import re
import sys

waits, last = {}, {}
for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
    row = re.match(r" +\S+ \[\d+\] +(\S+)\[(\d+)\] +([\d.]+) +[\d.]+ +[\d.]+", line)
    if row is None:
        continue
    if row[1] == "sleep":
        waits.setdefault(row[2], []).append(float(row[3]))
    last[row[2]] = row[1], float(row[3])
shown = sum(max(rows) >= 190 for rows in waits.values())
nameless = sum(last[tid] == (":" + tid, 0) for tid in waits)
print(f"of {len(waits)} processes {shown} have a row of sleep with 190 ms or more of wait time,",
      f"{nameless} a last row named by TID with a wait time of 0")
sys.exit(0 if len(waits) >= 8 and shown == 0 and nameless >= 8 else 1)
PYTHON
