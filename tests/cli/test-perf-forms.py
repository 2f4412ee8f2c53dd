#!/usr/bin/env python3
"""Recordings by perf in other forms: folders of several files, counts, no events."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
ARCHIVE = os.path.join(RECORDINGS, "threads-directory.tar.gz")


def get_info(path):
    done = tap.cli("info", path, "--json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def get_text(path):
    done = tap.cli("analyze", path, "--analysis", "threads")
    assert done.returncode == 0, done
    return done.stdout


def unpack(folder):
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return os.path.join(folder, "threads.data")


def test_folder():
    """perf script: 1949 samples, of which 1348 of sched_switch, in data.0 and data.1."""
    with tempfile.TemporaryDirectory() as folder:
        recorded = unpack(folder)
        infos = [get_info(os.path.join(recorded, name)) for name in ("", "data", "data.1")]
        for info in infos:
            assert info["events"]["switch"] == 1348 and info["events"]["sample"] == 601, info
            assert info["cut_short"] is False and info["command"] == "w", info
            assert info["lost"]["events"] == 0, info["lost"]
            assert not any("came later" in warning for warning in info["warnings"]), info
        assert infos[0]["processes"] == infos[1]["processes"] == infos[2]["processes"]


def test_compressed_folder():
    """perf script: 104 samples."""
    info = get_info(os.path.join(RECORDINGS, "threads.data"))
    assert info["events"]["sample"] == 104 and info["events"]["switch"] == 0, info["events"]
    assert info["cut_short"] is False, info


def test_incomplete_folder():
    with tempfile.TemporaryDirectory() as folder:
        recorded = unpack(folder)
        alone = os.path.join(folder, "alone.data")
        shutil.copy(os.path.join(recorded, "data"), alone)
        info = get_info(alone)
        assert info["cut_short"] is True and info["events"]["sample"] == 0, info
        assert any("copy the whole folder" in warning for warning in info["warnings"]), info
        assert not any("nothing to analyze" in warning for warning in info["warnings"]), info
        os.remove(os.path.join(recorded, "data.0"))
        info = get_info(recorded)
        assert info["cut_short"] is True, info
        assert any("1 of the files data.0 to data.1" in text for text in info["warnings"]), info


def test_refused_folders():
    done = tap.cli("info", ARCHIVE)
    assert done.returncode == 1 and "unpack it with “tar xf”" in done.stderr, done
    assert done.stderr.count("\n") == 1, done
    with tempfile.TemporaryDirectory() as folder:
        done = tap.cli("info", folder)
        assert done.returncode == 1 and "is a folder, not a recording" in done.stderr, done
        # Such as a recording that perf --kcore gave up
        with open(os.path.join(folder, "data"), "wb"):
            pass
        done = tap.cli("info", folder)
        assert done.returncode == 1 and "is a folder, not a recording" in done.stderr, done


def test_kcore_folder():
    """Of "perf record --kcore", the file "data" has all events."""
    with tempfile.TemporaryDirectory() as folder:
        recorded = os.path.join(folder, "perf.data")
        os.makedirs(os.path.join(recorded, "kcore_dir"))
        shutil.copy(os.path.join(RECORDINGS, "process-samples.data"),
                    os.path.join(recorded, "data"))
        info = get_info(recorded)
        assert info["events"]["sample"] == 433 and info["cut_short"] is False, info


def test_counts():
    text = get_text(os.path.join(RECORDINGS, "perf-stat-record.data"))
    # As perf stat printed them; "perf stat report" has three decimals.
    assert ("context-switches 90, cpu-migrations 5, page-faults 217, task-clock 107.658 msec."
            in text), text
    assert "The recording has no threads." in text, text
    assert " ran " not in text.split("Timeline")[0].split("\n")[2], text


def test_no_events():
    text = get_text(os.path.join(RECORDINGS, "no-events.data"))
    assert ("None of the events happened while perf recorded, so that there is nothing to analyze: "
            "syscalls:sys_enter_sync." in text), text


if __name__ == "__main__":
    sys.exit(tap.main([test_folder, test_compressed_folder, test_incomplete_folder,
                       test_refused_folders, test_kcore_folder, test_counts, test_no_events]))
