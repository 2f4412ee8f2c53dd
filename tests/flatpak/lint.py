#!/usr/bin/env python3
"""Check the manifests of a folder by rules of flatpak-builder-lint: lint.py FOLDER BUILD."""
# SPDX-License-Identifier: GPL-3.0-or-later

import configparser
import glob
import os
import re
import sys
import xml.etree.ElementTree as ET

import yaml

# Each is an error of flatpak-builder-lint 3.0.0, as read from its sources: permissions that open
# the sandbox, or that are granted anyway.
FORBIDDEN = [
    r"--filesystem=(home|~/?|host|host-root|host-etc|host-os)(:.*)?",
    r"--filesystem=(/(app|bin|dev|etc|lib|lib32|lib64|proc|root|run/flatpak|run/host|sbin|usr)|"
    r"/tmp|/var|/home|/var/home)(/.*)?",
    r"--filesystem=xdg-(data|config|cache)(/.*)?(:.*)?", r"--filesystem=.*/\.?(ssh|gnupg|dconf).*",
    r"--socket=(session-bus|system-bus|gpg-agent|ssh-auth|inherit-wayland-socket|x11)",
    r"--(own-name|system-own-name|no-talk-name|unshare|nosocket|nodevice|metadata).*",
    r"--(system-)?talk-name=org\.(freedesktop|gnome|kde)\.\*",
    r"--(system-)?talk-name=org\.freedesktop\.(Flatpak|DBus|portal|impl\.portal|systemd1|login1).*",
    r"--talk-name=ca\.desrt\.dconf.*", r"--device=(all|input|usb).*",
]


def check_permissions(args):
    """Yield a line for each permission that is refused."""
    for arg in args:
        for pattern in FORBIDDEN:
            if re.fullmatch(pattern, arg):
                yield f"permission {arg}"
    if "--socket=fallback-x11" in args:
        if "--socket=wayland" not in args or "--share=ipc" not in args:
            yield "fallback-x11 needs wayland and ipc"


def check_source(name, source):
    """Yield a line for each source that is not pinned."""
    if source["type"] in ("archive", "file") and "url" in source and "sha256" not in source:
        yield f"{name}: {source['url']} has no sha256"
    if source["type"] == "git":
        if not source.get("url", "").startswith("https://"):
            yield f"{name}: the repository has no https address"
        if not re.fullmatch("[0-9a-f]{40}", source.get("commit", "")) or "branch" in source:
            yield f"{name}: {source.get('url')} has no commit"


def check_module(module):
    name = module["name"]
    for path in module.get("cleanup", []):
        if path.startswith("/lib/debug"):
            yield f"{name}: removes debug files"
    if "--share=network" in module.get("build-options", {}).get("build-args", []):
        yield f"{name}: uses the network"
    places = [source.get("dest", ".") for source in module["sources"] if source["type"] == "git"]
    if len(places) != len(set(places)):
        yield f"{name}: several repositories in one place"
    for source in module["sources"]:
        yield from check_source(name, source)


def check_manifest(path):
    with open(path, encoding="utf-8") as file:
        manifest = yaml.safe_load(file)
    if manifest["id"] != os.path.basename(path).removesuffix(".yml"):
        yield "the file is not named after the ID"
    if len(manifest["id"].split(".")) not in range(3, 6):
        yield "the ID has a wrong number of parts"
    if "/" in manifest["command"] or "branch" in manifest:
        yield "a path as the command, or a branch"
    for extension, facts in manifest.get("add-extensions", {}).items():
        if facts.get("bundle") and not extension.startswith(manifest["id"]):
            yield f"extension {extension} is not named after the ID"
    yield from check_permissions(manifest["finish-args"])
    for module in manifest["modules"]:
        if isinstance(module, str):
            with open(os.path.join(os.path.dirname(path), module), encoding="utf-8") as file:
                yield from check_module(yaml.safe_load(file))
        else:
            yield from check_module(module)


def check_build(folder, app):
    """Yield a line for each fault of the built files."""
    share = os.path.join(folder, "files/share")
    root = ET.parse(os.path.join(share, f"metainfo/{app}.metainfo.xml")).getroot()
    if root.findtext("id") != app or root.find("developer[@id]/name") is None:
        yield "metainfo: wrong ID, or no developer"
    shots = root.findall("screenshots/screenshot")
    if not shots or not all(shot.findtext("caption")
                            and shot.findtext("image").startswith("https://") for shot in shots):
        yield "metainfo: screenshots are missing, or have no caption or address"
    if root.find("url[@type='homepage']") is None or not root.findtext("project_license"):
        yield "metainfo: no homepage or license"
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.read(os.path.join(share, f"applications/{app}.desktop"), encoding="utf-8")
    icon = desktop["Desktop Entry"]["icon"]
    if not re.fullmatch(re.escape(app) + r"([-.].*)?", icon):
        yield f"desktop file: icon {icon}"
    if not glob.glob(os.path.join(share, f"icons/hicolor/*/apps/{icon}.*")):
        yield f"icon {icon} is not installed"


def main():
    folder, build = sys.argv[1:3]
    faults = []
    paths = sorted(glob.glob(os.path.join(folder, "org.*.yml")))
    for path in paths:
        faults += [f"{os.path.basename(path)}: {fault}" for fault in check_manifest(path)]
    if os.path.isdir(os.path.join(build, "files")):
        faults += check_build(build, "org.tailback.Tailback")
    for fault in faults:
        print("#", fault)
    sys.exit(1 if faults or not paths else 0)


main()
