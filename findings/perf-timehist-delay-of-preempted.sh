#!/bin/bash
# perf 6.1 (Debian 12) and perf 6.12 (Debian 13): perf sched timehist of the same recording
#
# Guess: each moment of a thread is in one of the columns "wait time", "sch delay" and "run time",
#   so that they add up to the time that it existed: half of it run time, half of it sch delay for
#   each of two busy processes on one CPU.
# Behaviour: in 6.1 the whole time in which a preempted thread is runnable is "wait time" and none
#   of it "sch delay". In 6.12 it is both, so that the columns add up to half more than the time
#   there was. No option or heading in the output shows which one was counted.
# Output seen: sch delay of two busy processes, of the time they existed: 6.1 0 %, 6.12 50 %; wait
#   time, sch delay and run time together: 6.1 100 %, 6.12 150 %
#
# Needs root, mmdebstrap and Debian's packages; leaves nothing. Exits with 0 while it behaves so, 1
# when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
  sed -n 's/^URIs: *//p; s/^deb *\(\[[^]]*\] *\)\?\([^ ]*\).*/\2/p' |
  grep -v security | head -n 1) || true
for suite in bookworm=6.1 trixie=6.12; do
  mmdebstrap --quiet --mode=root --variant=apt --aptopt='APT::Install-Recommends "false"' \
    --include="linux-perf=${suite#*=}.*" "${suite%=*}" "$folder/${suite#*=}" \
    "deb $mirror ${suite%=*} main" >&2
done

cat > "$folder/6.1/root/busy.sh" <<'SCRIPT'
head -c 400000000 /dev/zero > /dev/shm/zeros.$$
md5sum /dev/shm/zeros.$$ & md5sum /dev/shm/zeros.$$; wait
rm /dev/shm/zeros.$$
SCRIPT
unshare --mount sh -c '
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mount --rbind /dev "$1/dev"
  exec taskset -c 0 chroot "$1" perf sched record -q -B -N -o /root/busy.data \
    sh /root/busy.sh' sh "$folder/6.1" >&2
cp "$folder/6.1/root/busy.data" "$folder/6.12/root/busy.data"
for version in 6.1 6.12; do
  chroot "$folder/$version" perf sched timehist -i /root/busy.data > "$folder/$version.txt"
done
python3 - "$folder/6.1.txt" "$folder/6.12.txt" <<'PYTHON'
import re
import sys

delays, sums = [], []
for name in sys.argv[1:]:
    rows = {}
    for line in open(name, encoding="utf-8", errors="replace"):
        row = re.match(r" +(\S+) \[\d+\] +md5sum\[(\d+)\] +([\d.]+) +([\d.]+) +([\d.]+)",
                       line)
        if row:
            values = [float(row[i]) for i in (1, 3, 4, 5)]
            rows.setdefault(row[2], []).append(values)
    # from the first to the last switch away from the CPU, so without the times before the first
    existed = sum(of[-1][0] - of[0][0] for of in rows.values()) * 1000
    of_all = [values for of in rows.values() for values in of[1:]]
    delays.append(sum(values[2] for values in of_all) / existed)
    sums.append(sum(sum(values[1:]) for values in of_all) / existed)
print(f"sch delay of {len(rows)} busy processes, of the time they existed:",
      f"6.1 {delays[0]:.0%}, 6.12 {delays[1]:.0%}; wait time, sch delay and run time together:",
      f"6.1 {sums[0]:.0%}, 6.12 {sums[1]:.0%}")
as_stated = delays[0] < 0.05 and delays[1] > 0.3 and sums[0] < 1.05 and sums[1] > 1.3
sys.exit(0 if as_stated else 1)
PYTHON
