#!/bin/bash
# elfutils 0.192 (libdw) with supplementary files by dwz 0.15, compared with addr2line of binutils
# 2.44 (Debian 13)
#
# Guess: libdw names functions of programs that dwz -m compressed, whatever dwz moved into the
#   common file of debug information.
# Behaviour: the common file of small programs has .debug_str as its only section of DWARF: no type
#   or function was worth moving, only names. dwarf_begin() refuses such a file ("no DWARF
#   information"), so libdw opens no supplementary file, and every name that dwz moved
#   (DW_FORM_GNU_strp_alt) is missing, though the program's own symbol table has it. If both
#   programs have the types of stdio.h too, .debug_info is in the common file, and the same
#   function has its name.
# Output seen: only names shared: sections .debug_str, addr2line pack_the_values_of_one_row,
#   eu-addr2line ??; types shared too: sections .debug_info .debug_abbrev .debug_line .debug_str,
#   addr2line and eu-addr2line pack_the_values_of_one_row
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
  --include=gcc,libc6-dev,binutils,dwz=0.15-1+b1,elfutils=0.192-4 \
  trixie "$tree" "deb $mirror trixie main" >&2

cat > "$tree/root/first.c" <<'SOURCE'
#ifdef SHARED
#include <stdio.h>
FILE *output;
#endif
void pack_the_values_of_one_row (void) { }
void read_the_values_of_one_row (void) { }
int main (void) { pack_the_values_of_one_row (); return 0; }
SOURCE
cat > "$tree/root/second.c" <<'SOURCE'
#ifdef SHARED
#include <stdio.h>
FILE *output;
#endif
int main (void) { return 1; }
void read_the_values_of_one_row (void) { }

void pack_the_values_of_one_row (void) { }
SOURCE
seen=$(chroot "$tree" sh -euc '
  for shared in "" -DSHARED; do
    cd "$(mktemp -d)"
    cp /root/*.c .
    gcc -g -O1 $shared -o first first.c
    gcc -g -O1 $shared -o second second.c
    dwz -m common.debug -M common.debug first second
    address=0x$(nm first | sed -n "s/ T pack_.*//p")
    echo "${shared:-names}:" $(readelf -SW common.debug | grep -o "\.debug_[a-z]*") \
      "addr2line" $(addr2line -f -e first $address | head -n 1) \
      "eu-addr2line" $(eu-addr2line -f -e first $address | head -n 1)
  done')
echo "$seen"
name=pack_the_values_of_one_row
[ "$(head -n 1 <<< "$seen")" = "names: .debug_str addr2line $name eu-addr2line ??" ] &&
  grep -q "^-DSHARED: .debug_info .* addr2line $name eu-addr2line $name\$" <<< "$seen"
