#!/bin/bash
# Linux 6.18 (PERF_RECORD_EXIT beside sched:sched_switch), recorded by perf 6.1
#
# Guess: the EXIT record of a thread is its last one: a thread ends at the time of that record.
# Behaviour: the kernel writes the record in do_exit() before it notifies the parent. The thread
#   goes on running, and leaves its CPU for the last time (prev_state X or Z) later. A reader that
#   ends threads at EXIT loses this time, and finds switches of threads that it takes for dead.
# Output seen: of 40 ended threads 40 left their CPU after the EXIT record, in states ['Z'], 54 to
#   210 us later
#
# Needs root and perf; leaves nothing. Exits with 0 while it behaves so, 1 when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
perf record -q -a -B -N -e sched:sched_switch -o exits.data -- \
  sh -c 'i=0; while [ $i -lt 40 ]; do /bin/ls / > /dev/null; i=$((i + 1)); done'
perf script --ns --show-task-events -F comm,tid,time,event,trace -i exits.data > exits.txt
python3 - <<'PYTHON'
import re
import sys

exits, last = {}, {}
for line in open("exits.txt", encoding="utf-8", errors="replace"):
    time = re.search(r" (\d+)\.(\d{9}): ", line)
    if time is None:
        continue
    now = int(time[1]) * 10**9 + int(time[2])
    ended = re.search(r"PERF_RECORD_EXIT\(\d+:(\d+)\)", line)
    left = re.search(r"prev_comm=ls prev_pid=(\d+) .*prev_state=(\S+)", line)
    if ended:
        exits[ended[1]] = now
    elif left:
        last[left[1]] = now, left[2]
later = [last[tid][0] - exits[tid] for tid in exits if tid in last and last[tid][0] > exits[tid]]
known = sum(tid in exits for tid in last)
states = {last[tid][1] for tid in exits if tid in last}
print(f"of {known} ended threads {len(later)} left their CPU after the EXIT record,",
      f"in states {sorted(states)}")
if later:
    print(f"{min(later) // 1000} to {max(later) // 1000} us later")
sys.exit(0 if known >= 20 and len(later) >= 0.9 * known else 1)
PYTHON
