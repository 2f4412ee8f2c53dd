#!/bin/bash
# Linux 6.18 (PERF_RECORD_MMAP2) with two recordings at the same time, by perf 6.12
#
# Guess: PERF_RECORD_MISC_MMAP_BUILD_ID is set in the record of a mapping if the record has a build
#   ID in place of device and inode.
# Behaviour: if one of several recordings requests build IDs (perf record --buildid-mmap), the flag
#   is set in the records of the others too, which have device and inode there: the kernel sets it
#   for the first and does not clear it for the next. Read as a build ID, device and inode are one
#   that no file has, and the functions lose their names.
# Output seen: alone 0 of 7 mappings with the flag and a device; beside the other recording 6 of 7
#
# Needs root and perf; leaves nothing. Exits with 0 while it behaves so, 1 when that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

count () {
  python3 - "$1" <<'PYTHON'
import struct
import sys

data = open(sys.argv[1], "rb").read()
at, size = struct.unpack_from("<QQ", data, 40)
end = at + size
flagged = 0
while at + 8 <= end:
    kind, misc, length = struct.unpack_from("<IHH", data, at)
    # a real one has a length of at most 20 bytes and zeros after it
    if kind == 10 and misc & 1 << 14 and misc & 7 == 2:
        flagged += data[at + 40] > 20 or any(data[at + 41:at + 44])
    at += max(length, 8)
print(flagged)
PYTHON
}

perf record -B -N -e cpu-clock -o alone.data -- ls / >/dev/null 2>&1
perf record --buildid-mmap -a -e cpu-clock -F 10 -o other.data -- sleep 3 >/dev/null 2>&1 &
sleep 1
perf record -B -N -e cpu-clock -o beside.data -- ls / >/dev/null 2>&1
wait
alone=$(count alone.data)
beside=$(count beside.data)
echo "mappings with the flag and a device: alone $alone, beside a recording with build IDs $beside"
[ "$alone" -eq 0 ] && [ "$beside" -gt 0 ]
