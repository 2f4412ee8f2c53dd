#!/bin/bash
# elfutils 0.192 (dwelf_elf_gnu_build_id) with programs linked by mold 2.37.1 and without section headers (Debian 13)
#
# Guess: a build ID is in a PT_NOTE segment, so that it is found without section headers as well, whatever linker made the file.
# Behaviour: with GNU ld it is; with mold it is not: 0 ("there is none"). mold puts notes aligned to 4 bytes into one segment whose
#   p_align is 8, last the build ID of 36 bytes; libelf takes every note of such a segment as padded to 8 bytes, so that the last
#   would end 4 bytes behind the segment, and is not read. With section headers the section of the build ID is read, and it is found.
# Output seen: ld 20, ld without sections 20, mold 20, mold without sections 0 (bytes of the build ID)
#
# Needs root, mmdebstrap and Debian's packages; leaves nothing. Exits with 0 while it behaves so, 1 when that changes.
set -euo pipefail
tree=$(mktemp -d)
trap 'rm -rf --one-file-system "$tree"' EXIT
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
         sed -n 's/^URIs: *//p; s/^deb *\(\[[^]]*\] *\)\?\([^ ]*\).*/\2/p' | grep -v security | head -n 1) || true
mmdebstrap --quiet --mode=root --variant=apt --aptopt='APT::Install-Recommends "false"' \
  --include=gcc,libc6-dev,python3-minimal,mold=2.37.1+dfsg-1,libdw-dev=0.192-4 trixie "$tree" "deb $mirror trixie main" >&2

cat > "$tree/root/length.c" <<'SOURCE'
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>

int
main (int argc, char **argv)
{
  const void *id;

  elf_version (EV_CURRENT);
  for (int i = 1; i < argc; i++)
    printf ("%s%zd", i > 1 ? " " : "", dwelf_elf_gnu_build_id (elf_begin (open (argv[i], O_RDONLY), ELF_C_READ_MMAP, NULL), &id));
  puts ("");
}
SOURCE
cat > "$tree/root/without-sections.py" <<'SOURCE'
import sys

for name in sys.argv[1:]:
    with open(name, "rb") as file:
        image = bytearray(file.read())
    image[0x28:0x30] = bytes(8)   # e_shoff
    image[0x3C:0x40] = bytes(4)   # e_shnum, e_shstrndx
    with open(name + "-bare", "wb") as file:
        file.write(image)
SOURCE
seen=$(chroot "$tree" sh -c '
  cd /root; echo "int main (void) { return 0; }" > program.c
  for linker in bfd mold; do gcc -fuse-ld=$linker -Wl,--build-id=sha1 -o "$linker" program.c; done
  gcc -o length length.c -ldw -lelf; python3 without-sections.py bfd mold
  ./length bfd bfd-bare mold mold-bare')
echo "ld, ld without sections, mold, mold without sections: $seen"
[ "$seen" = "20 20 20 0" ]
