#!/bin/bash
# libadwaita 1.7.6 with GTK 4.18.6 (Debian 13): rows of numbers and assistive technology
#
# Guess: AT-SPI shows an AdwSpinRow as a spin button that has the row's title as its name; the text
#   field inside it may have none.
# Behaviour: the row, its spin button and its text field are in no place of the tree, while the
#   switch rows before and after it are. GTK_ACCESSIBLE_ROLE_GROUP given to the row makes the spin
#   button appear below it.
# Output seen:
#   as made: Before, After
#   with a role: Before, Number, After
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
  --include=gir1.2-adw-1=1.7.6-1~deb13u1,libgtk-4-1=4.18.6+ds-2,gir1.2-gtk-4.0 \
  --include=gir1.2-atspi-2.0,at-spi2-core,python3-gi,dbus-daemon,xvfb,xauth \
  trixie "$tree" "deb $mirror trixie main" >&2

cat > "$tree/root/rows.py" <<'SOURCE'
"""A window with three rows, the middle one with a number."""
import sys

import gi

gi.require_version("Adw", "1")
gi.require_version("Gtk", "4.0")
from gi.repository import Adw, Gtk


def make_number():
    options = {"accessible_role": Gtk.AccessibleRole.GROUP} if "role" in sys.argv else {}
    row = Adw.SpinRow(title="Number", adjustment=Gtk.Adjustment(upper=9, step_increment=1),
                      **options)
    if options:
        row.update_property([Gtk.AccessibleProperty.LABEL], ["Number"])
    return row


def show(application):
    rows = Adw.PreferencesGroup()
    for row in Adw.SwitchRow(title="Before"), make_number(), Adw.SwitchRow(title="After"):
        rows.add(row)
    Adw.ApplicationWindow(application=application, content=rows).present()


application = Adw.Application(application_id="org.example.Rows")
application.connect("activate", show)
application.run()
SOURCE
cat > "$tree/root/read.py" <<'SOURCE'
"""What AT-SPI shows of it: names of rows and of all items with a number."""
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi


def walk(item):
    yield item
    for i in range(item.get_child_count()):
        if item.get_child_at_index(i) is not None:
            yield from walk(item.get_child_at_index(i))


def read():
    found = []
    for item in walk(Atspi.get_desktop(0)):
        is_number = "Value" in item.get_interfaces()
        name = item.get_name() or ("Number" if is_number else "")
        if name in ("Before", "Number", "After") and name not in found:
            found.append(name)
    return found


for _ in range(100):
    found = read()
    if "After" in found:
        break
    time.sleep(0.2)
time.sleep(2)
print(", ".join(read()))
SOURCE
cat > "$tree/root/run" <<'SOURCE'
cd /root
export HOME=/root XDG_RUNTIME_DIR=/root/run-time GTK_A11Y=atspi GSK_RENDERER=cairo DISPLAY=:77
mkdir -p -m 700 $XDG_RUNTIME_DIR
Xvfb :77 -screen 0 640x480x24 -nolisten tcp > /dev/null 2>&1 &
xvfb=$!
dbus-run-session -- sh -c "python3 rows.py $1 & rows=\$!
  python3 read.py > seen; kill \$rows" > /dev/null 2>&1
kill $xvfb
cat seen
SOURCE
seen=$(echo "as made: $(chroot "$tree" sh /root/run)"
  echo "with a role: $(chroot "$tree" sh /root/run role)")
echo "$seen"
[ "$seen" = "as made: Before, After
with a role: Before, Number, After" ]
