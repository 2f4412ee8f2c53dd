#!/bin/bash
# Linux 6.18 and perf 6.12 (perf record -g) of md5sum 9.7 with OpenSSL 3.5 (Debian 13)
#
# Guess: perf record -g of a program built without frame pointers gives stacks that are too short;
#   what they contain is code.
# Behaviour: RBP holds what the function keeps there, and the kernel takes it for a frame if memory
#   is readable there. MD5 of libcrypto keeps the address of its state in RBP, so that the "return
#   address" is the state: the intermediate checksum. At the start these are the constants of MD5,
#   10325476 98badcfe. Such callers are no addresses that x86-64 has (not canonical), the kernel
#   emits them all the same, and there are as many "callers" as blocks, so that stacks are not
#   summed up.
# Output seen: of 1216 stacks in libcrypto.so.3 1214 have a caller that is no address, 1214
#   different ones
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

head -c 400000000 /dev/zero | unshare --mount sh -c '
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mount --rbind /dev "$1/dev"
  chroot "$1" perf record -q -g -F 2000 -e cpu-clock:u -o /root/md5.data md5sum >&2
  chroot "$1" perf script -i /root/md5.data -F comm,ip,sym,dso' sh "$tree" > "$tree/root/stacks.txt"
python3 - "$tree/root/stacks.txt" <<'PYTHON'
import sys

stacks, wrong, callers = 0, 0, set()
for stack in open(sys.argv[1], encoding="utf-8").read().split("\n\n"):
    lines = stack.strip().split("\n")[1:]
    if not lines or "libcrypto" not in lines[0]:
        continue
    chain = [int(line.split()[0], 16) for line in lines[1:]]
    no_address = {caller for caller in chain if 1 << 47 <= caller < (1 << 64) - (1 << 47)}
    stacks += 1
    wrong += bool(no_address)
    callers |= no_address
print(f"of {stacks} stacks in libcrypto.so.3 {wrong} have a caller that is no address,",
      f"{len(callers)} different ones")
sys.exit(0 if stacks >= 100 and wrong >= 0.9 * stacks and len(callers) >= 0.5 * wrong else 1)
PYTHON
