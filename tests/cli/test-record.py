#!/usr/bin/env python3
"""Recordings of real programs: their end, contents, and nothing left behind."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

DEMO = os.path.join(tap.BUILD, "tests/fixtures/demo/demo-front")


def needs_privilege():
    if os.geteuid() != 0:
        raise tap.Skip("recording the whole system needs privilege")


def record(*arguments, status=0, **options):
    done = tap.cli("record", *arguments, **options)
    assert done.returncode == status, f"{arguments}: {done}"
    if status == 0:
        for line in done.stderr.splitlines():
            assert line.startswith("warning: "), line
    return done


def info(path):
    done = tap.cli("info", path, "--json")
    assert done.returncode == 0, done
    result = json.loads(done.stdout)
    shapes.check_info(result)
    return result


def test_command():
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        done = record("-o", path, "--", "sh", "-c", "echo from the command; sleep 0.2; exit 3")
        assert "from the command\n" in done.stdout and "status 3" in done.stdout, done
        assert os.listdir(folder) == ["a.tailback"], os.listdir(folder)
        facts = info(path)
        assert "sleep 0.2" in facts["command"] and not facts["cut_short"] and facts["collector"] in ("ebpf", "perf"), facts
        shells = [process for process in facts["processes"] if (process["command"] or "").startswith("sh -c 'echo from the")
                  or (process["command"] or "").startswith("sh -c echo from the")]
        assert len(shells) == 1 and shells[0]["end_ns"] is not None and shells[0]["names"][-1] == "sh", shells
        assert facts["events"]["switch"] > 0 and facts["events"]["wakeup"] > 0
        report = json.loads(tap.cli("analyze", path, "--analysis", "threads", "--format", "json", "--process",
                                    str(shells[0]["pid"])).stdout)
        shapes.check_threads(report)
        assert [thread["pid"] for thread in report["summary"]["threads"]] == [shells[0]["pid"]]


def test_existing_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        with open(path, "w", encoding="utf-8") as file:
            file.write("precious")
        done = record("-o", path, "--", "true", status=1)
        assert "--force" in done.stderr, done
        with open(path, encoding="utf-8") as file:
            assert file.read() == "precious"
        needs_privilege()
        record("-o", path, "--force", "--", "true")
        info(path)


def test_preflight():
    with tempfile.TemporaryDirectory() as folder:
        done = tap.cli("record", "--preflight", "--collector", "perf", "--scope", "process", cwd=folder)
        assert done.returncode == 0 and "collector perf: works\n" in done.stdout, done
        assert "  Running threads and wake-ups: works" in done.stdout, done
        assert not os.listdir(folder), os.listdir(folder)
    done = tap.cli("record", "--preflight", "--collector", "no-such")
    assert done.returncode == 2 and "no-such" in done.stderr, done
    assert tap.cli("record", "--preflight", "--scope", "galaxy").returncode == 2
    needs_privilege()
    done = tap.cli("record", "--preflight")
    assert done.returncode == 0 and re.search(r"^collector ebpf: ", done.stdout, re.M), done
    assert re.search(r"^  Function probes: does not work: .*perf", done.stdout, re.M), done
    rates = re.findall(r"present rate of ([\d,.]+) switch", done.stdout)
    assert len(set(rates)) <= 1, done   # measured once, before the trials


def test_default_name():
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        record("--", "true", cwd=folder)
        record("--duration", "0.1", cwd=folder)
        names = sorted(os.listdir(folder))
        assert len(names) == 2 and re.fullmatch(r"system-\d{4}-\d\d-\d\d-\d{6}\.tailback", names[0]), names
        assert re.fullmatch(r"true-\d{4}-\d\d-\d\d-\d{6}\.tailback", names[1]), names


def test_duration():
    needs_privilege()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        start = time.monotonic()
        marker = f"{30 + os.getpid() / 1e7:.7f}"
        # to a file: the continuing command would keep a pipe open
        with open(os.path.join(folder, "output"), "w+", encoding="utf-8") as output:
            done = subprocess.run([tap.CLI, "record", "--duration", "500ms", "-o", path, "--", "sleep", marker],
                                  stdout=output, stderr=subprocess.DEVNULL, timeout=60, check=False)
            output.seek(0)
            text = output.read()
        assert done.returncode == 0 and "left running" in text, (done, text)
        assert time.monotonic() - start < 20, "the command was waited for"
        left = subprocess.run(["pgrep", "-f", "-x", f"sleep {marker}"], capture_output=True, text=True, check=False).stdout.split()
        assert len(left) == 1, left
        os.kill(int(left[0]), signal.SIGKILL)
        facts = info(path)
        assert facts["to_ns"] - facts["from_ns"] >= 400_000_000, facts


def end_with(number):
    needs_privilege()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        # to a file: the continuing command would keep a pipe open
        with open(os.path.join(folder, "output"), "w+", encoding="utf-8") as output:
            client = subprocess.Popen([tap.CLI, "record", "-o", path, "--", DEMO, "30", os.path.join(folder, "ledger")],
                                      stdout=output, stderr=output, start_new_session=True)
            # The command begins when everything is being recorded.
            deadline = time.monotonic() + 60
            while not os.path.exists(os.path.join(folder, "ledger")):
                assert client.poll() is None and time.monotonic() < deadline, client.returncode
                time.sleep(0.02)
            client.send_signal(number)
            try:
                status = client.wait(timeout=60)
                os.killpg(client.pid, 0)  # the command continues
            finally:
                os.killpg(client.pid, signal.SIGKILL)
            output.seek(0)
            assert status == 0, (status, output.read())
        assert not info(path)["cut_short"]
        assert "a.tailback-wal" not in os.listdir(folder)


def test_interrupt():
    end_with(signal.SIGINT)


def test_terminate():
    end_with(signal.SIGTERM)


def test_hang_up():
    end_with(signal.SIGHUP)


def test_process():
    needs_privilege()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        ledger = os.path.join(folder, "ledger")
        with subprocess.Popen([DEMO, "20", ledger], start_new_session=True) as demo:
            try:
                record("--pid", str(demo.pid), "--duration", "0.5", "-o", path)
                facts = info(path)
                assert demo.pid in [process["pid"] for process in facts["processes"]], facts["processes"]
            finally:
                os.killpg(demo.pid, signal.SIGKILL)


def test_restricted():
    # Collectors that report that the whole system may not be recorded: the grudging one is
    # preferred.
    fixtures = os.path.join(tap.BUILD, "tests/ui/fixtures")
    if not os.path.isdir(os.path.join(fixtures, "collectors")):
        raise tap.Skip("built without the window's tests")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        env = dict(os.environ, TAILBACK_PLUGIN_PATH=fixtures, FIXTURE_grudging="known", FIXTURE_modest="known")
        done = record("-o", path, "--", "true", env=env)
        assert "only the command is recorded" in done.stderr, done
        facts = info(path)
        assert facts["collector"] == "grudging", facts
        limits = [warning for warning in facts["warnings"] if warning.startswith("Only the command is recorded")]
        assert len(limits) == 1 and "was not authorized" in limits[0], facts["warnings"]
        # With an explicit scope "system" nothing else is recorded.
        record("-o", path, "--force", "--scope", "system", "--", "true", env=env, status=1)


def test_capabilities():
    """Without root's user ID, the capabilities that messages name suffice to read tracefs."""
    needs_privilege()
    if not os.path.isdir("/sys/kernel/tracing/events"):
        raise tap.Skip("tracefs is not mounted here")
    caps = "+perfmon,+dac_read_search"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        done = tap.run("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
                       "--inh-caps", caps, "--ambient-caps", caps,
                       tap.CLI, "record", "--collector", "perf",
                       "-o", os.path.join(folder, "a.tailback"), "--", "true")
        if done.stderr.startswith("setpriv: "):
            raise tap.Skip("these capabilities cannot be given here")
        assert done.returncode == 0 and "tracefs" not in done.stderr, done


def test_unwritable():
    done = record("-o", "/nonexistent/a.tailback", "--", "true", status=1)
    assert "/nonexistent" in done.stderr and done.stderr.count("\n") == 1, done


def test_full_disk():
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as elsewhere:
        # a separate disk in a separate mount namespace: it is removed with the command
        script = ('mount -t tmpfs -o size=700k tailback-test "$1" || exit 77\n'
                  '"$2" record -o "$1/a.tailback" -- "$3" 3 "$4"; echo "recorded: $?"\n'
                  '"$2" info "$1/a.tailback" --json --check; echo "read: $?"\n')
        done = tap.run("unshare", "--mount", "sh", "-c", script, "sh", folder, tap.CLI, DEMO,
                       os.path.join(elsewhere, "ledger"))
        if done.returncode == 77 or done.stderr.startswith("unshare: "):
            raise tap.Skip("no tmpfs can be mounted here")
        assert "recorded: 1" in done.stdout and "read: 0" in done.stdout, done
        assert "No space left on device" in done.stderr, done
        assert '"cut_short"' in done.stdout and "a.tailback" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.main([test_command, test_existing_file, test_preflight, test_default_name,
                       test_duration, test_interrupt, test_terminate, test_hang_up, test_process,
                       test_restricted, test_capabilities, test_unwritable, test_full_disk]))
