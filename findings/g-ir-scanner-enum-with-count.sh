#!/bin/bash
# g-ir-scanner of gobject-introspection 1.84.0 (Debian 13): enumerations whose last member is their
# number
#
# Guess: the part that all members of an enumeration share with its type is left out of their names,
#   EX_SHAPE_ROUND of ExShape is "round"; a last member EX_N_SHAPES, which has another beginning, is
#   the only one that keeps more.
# Behaviour: the scanner leaves out what is common to all members. One member with another beginning
#   makes all names long, so that Python has Ex.Shape.SHAPE_ROUND beside Ex.Color.RED. Nothing is
#   reported with --warn-all. A count that is a #define beside the enumeration avoids it.
# Output seen: / Color: red blue / Shape: shape_round shape_flat n_shapes
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
  --include=gcc,libc6-dev,pkgconf,libglib2.0-dev,gir1.2-glib-2.0-dev \
  --include=gobject-introspection=1.84.0-1 \
  trixie "$tree" "deb $mirror trixie main" >&2

cat > "$tree/root/ex.h" <<'SOURCE'
#include <glib-object.h>
/**
 * ExColor:
 * @EX_COLOR_RED: red
 * @EX_COLOR_BLUE: blue
 *
 * A color.
 */
typedef enum { EX_COLOR_RED, EX_COLOR_BLUE } ExColor;
/**
 * ExShape:
 * @EX_SHAPE_ROUND: round
 * @EX_SHAPE_FLAT: flat
 * @EX_N_SHAPES: number of shapes
 *
 * A shape.
 */
typedef enum { EX_SHAPE_ROUND, EX_SHAPE_FLAT, EX_N_SHAPES } ExShape;
SOURCE
chroot "$tree" sh -euc 'cd /root && g-ir-scanner --quiet --warn-all --namespace=Ex --nsversion=1 \
  --identifier-prefix=Ex --symbol-prefix=ex --header-only --include=GObject-2.0 --pkg=gobject-2.0 \
  -o Ex-1.gir ex.h' > "$tree/root/warnings" 2>&1
seen=$(sed -n 's/.*<enumeration name="\([^"]*\)".*/\/ \1:/p; s/.*<member name="\([^"]*\)".*/\1/p' \
  "$tree/root/Ex-1.gir" | xargs)
echo "$seen"
[ "$seen" = "/ Color: red blue / Shape: shape_round shape_flat n_shapes" ] &&
  [ ! -s "$tree/root/warnings" ]
