#!/usr/bin/env python3
"""Commands of tailback-cli on a recording with known numbers."""
# SPDX-License-Identifier: GPL-3.0-or-later

import html.parser
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

# Bytes; too little for any output.
SMALL_FILE_SIZE = 200

# client (10, thread helper 11) hands work to server (20) and waits for it; times in µs
EVENTS = """time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack
1000000,0,name,,,,10,,,10,,,client,
1000000,0,name,,,,10,,,11,,,helper,
1000000,0,name,,,,20,,,20,,,server,
1000000,0,switch,0,R,10,,,,,,,,
1100000,0,wakeup,,,,10,20,,,,,,main@client;write@libc.so.6
1200000,0,switch,10,S,20,,,,,,,,main@client;read@libc.so.6
1700000,0,wakeup,,,,20,10,,,,,,main@server;write@libc.so.6
1800000,0,switch,20,S,10,,,,,,,,main@server;read@libc.so.6
2000000,0,wakeup,,,,10,11,,,,,,
2300000,0,switch,10,S,11,,,,,,,,main@client;read@libc.so.6
2400000,0,switch,11,S,0,,,,,,,,work@client;futex@libc.so.6
3000000,0,switch,0,R,0,,,,,,,,
"""


class Recording:
    """A folder with the events above as text and as a session."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.csv = os.path.join(self.folder.name, "events.csv")
        self.session = os.path.join(self.folder.name, "events.tailback")
        with open(self.csv, "w", encoding="utf-8") as file:
            file.write(EVENTS)
        done = tap.cli("import", self.csv, "-o", self.session)
        assert done.returncode == 0, done
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


def succeed(*arguments, **options):
    done = tap.cli(*arguments, **options)
    assert done.returncode == 0, f"{arguments}: {done}"
    for line in done.stderr.splitlines():
        assert line.startswith("warning: "), f"{arguments}: {line}"
    return done.stdout


def threads_of(file, *arguments):
    report = json.loads(succeed("analyze", file, "--analysis", "threads", "--format", "json", *arguments))
    shapes.check_threads(report)
    return {thread["name"]: thread for thread in report["summary"]["threads"]}, report


def test_info():
    with Recording() as recording:
        for file in (recording.session, recording.csv):
            info = json.loads(succeed("info", file, "--json"))
            shapes.check_info(info)
            assert info["from_ns"] == 1000000 and info["to_ns"] == 3000000, info
            assert info["events"]["switch"] >= 5 and info["events"]["wakeup"] == 3, info["events"]
            names = {process["name"]: process for process in info["processes"]}
            assert {"client", "server"} <= set(names), names
            assert sorted(thread["tid"] for thread in names["client"]["threads"]) == [10, 11]
            assert not info["cut_short"] and info["lost"] == {"events": 0, "ranges": []}
            assert info["stacks"]["frames"] == 6 and info["stacks"]["symbolized_share"] == 1, info["stacks"]
        text = succeed("info", recording.session)
        assert "client" in text and "2 ms" in text, text
        succeed("info", recording.session, "--check")


def test_import_keeps_files():
    with Recording() as recording:
        refused = tap.cli("import", recording.csv, "-o", recording.session)
        assert refused.returncode == 1 and "--force" in refused.stderr, refused
        succeed("import", recording.csv, "-o", recording.session, "--force")
        succeed("import", os.path.basename(recording.csv), cwd=recording.folder.name)
        assert os.path.exists(recording.csv + ".tailback")
        refused = tap.cli("import", recording.session, "-o", recording.session + "2")
        assert refused.returncode == 1 and not os.path.exists(recording.session + "2"), refused
        left = sorted(os.listdir(recording.folder.name))
        assert left == ["events.csv", "events.csv.tailback", "events.tailback"], left


def test_failed_import_leaves_nothing():
    with Recording() as recording:
        with open(recording.csv, "a", encoding="utf-8") as file:
            file.write("2000,0,switch,1,S,2,,,,,,,,\n")
        output = os.path.join(recording.folder.name, "new.tailback")
        done = tap.cli("import", recording.csv, "-o", output)
        assert done.returncode == 1 and "14" in done.stderr and done.stderr.count("\n") == 1, done
        assert not os.path.exists(output)


def test_pipes():
    """Input from a pipe is read from its first byte, although it is sniffed before."""
    lines = [f"{3000000 + i},0,mark,,,,,,,10,,,mark {i}," for i in range(20000)]
    text = EVENTS + "\n".join(lines) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        plain, fifo = os.path.join(folder, "plain.csv"), os.path.join(folder, "fifo")
        with open(plain, "w", encoding="utf-8") as file:
            file.write(text)
        expected = json.loads(succeed("info", plain, "--json"))["events"]
        assert expected["mark"] == len(lines), expected
        assert json.loads(succeed("info", "/dev/stdin", "--json", input=text))["events"] == expected
        succeed("import", "/dev/stdin", "-o", os.path.join(folder, "stdin.tailback"), input=text)
        assert json.loads(succeed("info", os.path.join(folder, "stdin.tailback"), "--json"))["events"] == expected

        os.mkfifo(fifo)
        with subprocess.Popen(["sh", "-c", 'sleep 0.3; exec cat "$1" > "$2"', "sh", plain, fifo]):
            succeed("import", fifo, cwd=folder)
        assert json.loads(succeed("info", fifo + ".tailback", "--json"))["events"] == expected

        for bad in ("", "nonsense\n" * 20000, EVENTS + "x\n"):
            done = tap.cli("import", "/dev/stdin", "-o", os.path.join(folder, "bad.tailback"), input=bad)
            assert done.returncode == 1 and "/dev/stdin" in done.stderr and "/proc/" not in done.stderr, done
            assert done.stderr.count("\n") == 1 and not os.path.exists(os.path.join(folder, "bad.tailback")), done
        done = tap.cli("import", "/dev/null", "-o", os.path.join(folder, "bad.tailback"))
        assert done.returncode == 1 and "/dev/null" in done.stderr, done


def test_threads():
    with Recording() as recording:
        for file in (recording.session, recording.csv):
            threads, report = threads_of(file)
            assert threads["server"]["running_ns"] == 600000, threads["server"]
            assert threads["client"]["running_ns"] == 700000, threads["client"]
            waker = threads["client"]["wakers"][0]
            assert waker["name"] == "server" and waker["kind"] == "thread" and waker["count"] == 1, waker
            assert {figure["kind"] for figure in report["figures"]} >= {"timeline", "table", "flame"}


def test_selection():
    with Recording() as recording:
        assert set(threads_of(recording.session, "--process", "client")[0]) == {"client", "helper"}
        assert set(threads_of(recording.session, "--process", "20")[0]) == {"server"}
        assert set(threads_of(recording.session, "--thread", "helper", "--thread", "20")[0]) == {"helper", "server"}
        threads, report = threads_of(recording.session, "--from", "+100us", "--to", "1500000")
        assert report["range"] == {"from_ns": 1100000, "to_ns": 1500000}, report["range"]
        assert threads["server"]["running_ns"] == 300000, threads["server"]
        for arguments, word in ((["--process", "nobody"], "client"), (["--thread", "nobody"], "helper"),
                                (["--from", "+1h"], "3000000"), (["--from", "+1ms", "--to", "+1ms"], "3000000")):
            done = tap.cli("analyze", recording.session, "--analysis", "threads", *arguments)
            assert done.returncode == 1 and word in done.stderr, done


def test_outputs():
    with Recording() as recording:
        target = os.path.join(recording.folder.name, "out")
        assert "server" in succeed("analyze", recording.session, "--analysis", "threads")
        printed = succeed("analyze", recording.session, "--analysis", "threads", "--format", "json")
        assert succeed("analyze", recording.session, "--analysis", "threads", "--format", "json", "-o", target) == ""
        with open(target, encoding="utf-8") as file:
            assert file.read() == printed
        for plain in ("C", "C.UTF-8"):
            done = succeed("analyze", recording.session, "--analysis", "threads", env=os.environ | {"LC_ALL": plain})
            assert "▏" in done
        refused = tap.cli("analyze", recording.session, "--analysis", "threads", "-o", "/nonexistent/out")
        assert refused.returncode == 1 and "/nonexistent/out" in refused.stderr, refused


def test_compare():
    with Recording() as recording:
        report = json.loads(succeed("compare", recording.session, recording.csv, "--analysis", "threads", "--format", "json"))
        shapes.check_report(report, "threads")
        for member in ("base", "other", "normalized_by", "differences"):
            assert member in report["summary"], report["summary"].keys()
        for difference in report["summary"]["differences"]:
            for member in ("what", "id", "base", "other", "delta", "low", "high", "within_noise"):
                assert member in difference, difference
            assert difference["delta"] == 0, difference


def test_several_recordings():
    with Recording() as recording:
        asked = ["--analysis", "wait-graph", "--option", "what-if=edge:client>server*0.5", "--format", "json"]
        with tempfile.TemporaryDirectory() as temporary:
            environment = os.environ | {"TMPDIR": temporary}
            reports = [json.loads(succeed("analyze", recording.session, *more, *asked, env=environment))
                       for more in ([], [recording.csv, recording.session])]
            assert os.listdir(temporary) == [], os.listdir(temporary)
        alone, together = (report["summary"]["what_if"][0] for report in reports)
        assert (alone["recordings"], together["recordings"]) == (1, 3), (alone, together)
        for member in ("before", "after"):
            assert alone[member] == together[member], (alone, together)
        done = tap.cli("analyze", recording.session, recording.csv, "--analysis", "threads")
        assert done.returncode == 2 and recording.csv in done.stderr, done
        done = tap.cli("analyze", recording.session, "/nonexistent/again", *asked)
        assert done.returncode == 1 and "/nonexistent/again" in done.stderr, done


def test_several_selected():
    """The selection in the first recording is applied to the others, too."""
    with Recording() as recording:
        asked = ["--analysis", "wait-graph", "--option", "what-if=edge:client>server*0.5", "--format", "json"]
        results = []
        for narrow in ([], ["--from", "+150us", "--to", "2200000"], ["--process", "server"]):
            alone, together = (json.loads(succeed("analyze", recording.session, *more, *asked, *narrow))
                               ["summary"]["what_if"][0]["before"] for more in ([], [recording.csv]))
            assert alone == together, (narrow, alone, together)
            results.append(alone)
        assert len(set(results)) == len(results), results


def test_several_units():
    """A time and a throughput have no mean."""
    with Recording() as recording:
        asked = ["--analysis", "wait-graph", "--option", "what-if=edge:client>server*0.5", "--format", "json"]
        counted = os.path.join(recording.folder.name, "counted.csv")
        header, *lines = EVENTS.splitlines(keepends=True)
        lines += [f"{time},0,mark,,,,,,,10,,,work,\n" for time in (1050000, 1900000)]
        with open(counted, "w", encoding="utf-8") as file:
            file.writelines([header, *sorted(lines, key=lambda line: int(line.split(",")[0]))])
        for pair in ((recording.csv, counted), (counted, recording.csv)):
            done = tap.cli("analyze", *pair, *asked)
            assert done.returncode == 2 and done.stderr.count("\n") == 1 and "units of work" in done.stderr, done
            report = json.loads(succeed("analyze", *pair, *asked, "--option", "work=none"))
            assert report["summary"]["what_if"][0]["recordings"] == 2, report["summary"]["what_if"]


def write_false_wakeups(path):
    """C (13) is woken by A (11) four times without success, sleeps again, and is woken by B (12).
    The function's name has a comma."""
    lines = [f"0,0,name,,,,10,,,{tid},,,app/{name},\n0,{tid - 11},switch,0,R,{tid},,,,,,,,\n" for tid, name in zip((11, 12, 13), "ABC")]
    for start in range(0, 8000000, 2000000):
        for slept, woken, cpu in ((100000, 600000, 0), (610000, 900000, 1)):
            lines += [f'{start + slept},2,switch,13,S,0,,,,,,,,"main@app;take(int, long)@app"\n',
                      f"{start + woken},{cpu},wakeup,,,,{11 + cpu},13,,,,,,\n",
                      f"{start + woken},2,switch,0,R,13,,,,,,,,\n"]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines([EVENTS.splitlines(keepends=True)[0], *lines, "10000000,0,switch,11,R,11,,,,,,,,\n"])


def test_apply():
    """The expression that a report gives for a proposal applies it, in a list with others, too. An
    unknown expression is reported."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "false.csv")
        write_false_wakeups(path)
        asked = ["analyze", path, "--analysis", "wait-graph", "--format", "json", "--option", "merge-similar=no"]
        before = json.loads(succeed(*asked))["summary"]
        proposal, = before["proposals"]
        assert (proposal["count"], proposal["apply"]) == (4, "false-wakeup:3:take(int, long)"), proposal
        assert before["applied"] == [], before["applied"]
        for words in (["apply=" + proposal["apply"]], ["apply=" + proposal["apply"] + ",spin:B"],
                      ["apply=spin:B", "apply=" + proposal["apply"]]):
            report = json.loads(succeed(*asked, *(word for text in words for word in ("--option", text))))
            after = report["summary"]
            taken, = after["applied"]
            assert taken["apply"] == proposal["apply"] and taken["count"] == 4, (words, taken)
            assert after["proposals"] == [], (words, after["proposals"])
            results = [warning for warning in report["uncertain"]["warnings"] if 'named “spin:B”' in warning]
            assert len(results) == any("spin:B" in text for text in words), report["uncertain"]["warnings"]
            assert after["edges"] != before["edges"], words


def test_values():
    with Recording() as recording:
        asked = ["--analysis", "wait-graph", "--values", "work"]
        with open(recording.csv, "a", encoding="utf-8") as file:
            file.writelines(f"{time},0,mark,,,,,,,10,,,{name},\n" for time, name in
                            ((3100000, "work"), (3200000, "work:page=4"), (3300000, "turn\x1b[2J")))
        succeed("import", recording.csv, "-o", recording.session, "--force")
        results = json.loads(succeed("analyze", recording.session, *asked, "--format", "json"))
        assert (results["format"], results["analysis"], results["option"]) == ("tailback-values", "wait-graph", "work"), results
        counts = {value["value"]: value["count"] for value in results["values"]}
        assert counts["mark:work"] == 5 and counts["mark:work:page"] == 4, counts
        for value in results["values"]:
            shapes.check(value, {"value": shapes.TEXT, "label": shapes.TEXT, "group": shapes.TEXT, "count": shapes.INTEGER,
                                 "per_second": shapes.NUMBER})
            report = json.loads(succeed("analyze", recording.csv, "--analysis", "wait-graph", "--format", "json",
                                        "--option", "work=" + value["value"]))
            work = report["summary"]["work"]
            assert (work["unit"], work["count"]) == (value["value"], value["count"]), (work, value)
        text = succeed("analyze", recording.csv, *asked)
        assert all(value["value"].replace("\x1b", " ") in text for value in results["values"]) and "\x1b" not in text, text
        later = json.loads(succeed("analyze", recording.session, *asked, "--format", "json", "--from", "3150000"))
        assert {value["value"]: value["count"] for value in later["values"]}["mark:work"] == 4, later


def get_unit(file):
    report = json.loads(succeed("analyze", file, "--analysis", "wait-graph", "--format", "json"))
    return report["summary"]["work"] and report["summary"]["work"]["unit"]


def test_keep():
    with Recording() as recording:
        asked = ["--analysis", "wait-graph", "--keep", "--option"]
        assert get_unit(recording.session) is None
        succeed("analyze", recording.session, *asked, "work=syscall:read")
        assert get_unit(recording.session) == "syscall:read"
        done = tap.cli("analyze", recording.session, *asked, "work=send:nobody")
        assert done.returncode == 1 and get_unit(recording.session) == "syscall:read", done
        succeed("analyze", recording.session, *asked, "work=")
        assert get_unit(recording.session) is None
        done = tap.cli("analyze", recording.csv, *asked, "work=syscall:read")
        assert done.returncode == 2 and recording.csv in done.stderr, done


def test_wait_graph():
    """Analyses of recordings with known results, on the command line."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    plugins = os.path.join(here, "plugins")
    reports = {}
    for file in (os.path.join(plugins, "wait-graph-figure-1.csv"), os.path.join(plugins, "wait-graph-figure-3.csv"),
                 os.path.join(tap.BUILD, "tests/fixtures/inbox.csv")):
        for more in ([], ["--option", "set-aside=none"], ["--option", "light-edge=0"]):
            report = json.loads(succeed("analyze", file, "--analysis", "wait-graph", "--format", "json", *more))
            shapes.check_wait_graph(report)
            reports[os.path.basename(file), *more] = report["summary"]
    assert [one["names"] for one in reports["wait-graph-figure-1.csv",]["bottlenecks"]] == [["B", "disk"]]
    assert reports["wait-graph-figure-3.csv",]["bottlenecks"] == []
    assert any(vertex["running_ns"] is None for vertex in reports["inbox.csv",]["vertices"])


class Page(html.parser.HTMLParser):
    """Count the elements; check that they nest and that nothing is requested from elsewhere."""

    EMPTY = {"meta", "rect", "path"}

    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = {}

    def handle_starttag(self, tag, attributes):
        self.seen[tag] = self.seen.get(tag, 0) + 1
        for name, value in attributes:
            assert name not in ("src", "srcset", "background"), (tag, name)
            assert name != "href" or value.startswith("#"), value
            assert not name.startswith("on"), name
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
        self.open.pop()


def test_report():
    with Recording() as recording:
        target = os.path.join(recording.folder.name, "page.html")
        assert succeed("report", recording.session, "-o", target) == ""
        succeed("report", recording.csv, "--analysis", "threads", "-o", target)
        with open(target, encoding="utf-8") as file:
            text = file.read()
        page = Page()
        page.feed(text)
        assert page.open == [], page.open
        assert page.seen.get("svg", 0) >= 1 and page.seen.get("table", 0) >= 1, page.seen
        assert "script" not in page.seen and "link" not in page.seen and "img" not in page.seen
        assert "http:" not in text and "https:" not in text and "url(" not in text
        assert "prefers-color-scheme" in text and "client" in text


def test_hostile_names():
    with Recording() as recording:
        with open(recording.csv, encoding="utf-8") as file:
            events = file.read().replace(",client,", ",<script>alert(1)</script>,")
        with open(recording.csv, "w", encoding="utf-8") as file:
            file.write(events.replace(",server,", ",s\x1b[2Jrv,"))
        target = os.path.join(recording.folder.name, "page.html")
        succeed("report", recording.csv, "-o", target)
        with open(target, encoding="utf-8") as file:
            text = file.read()
        assert "<script" not in text and "&lt;script&gt;" in text
        assert "\x1b" not in text
        assert "\x1b" not in succeed("analyze", recording.csv, "--analysis", "threads")
        assert "\x1b" not in succeed("info", recording.csv)


def test_export():
    exporters = [plugin["id"] for plugin in json.loads(succeed("list", "--json"))["plugins"] if plugin["kind"] == "exporter"]
    if "events-csv" not in exporters:
        raise tap.Skip("no exporter of recordings is there")
    with Recording() as recording:
        target = os.path.join(recording.folder.name, "again.csv")
        succeed("export", recording.session, "--exporter", "events-csv", "-o", target)
        assert threads_of(target)[1]["summary"] == threads_of(recording.session)[1]["summary"]
        with open(target, encoding="utf-8") as file:
            assert succeed("export", recording.session, "--exporter", "events-csv", "-o", "-") == file.read()
        with open(target, "w", encoding="utf-8") as file:
            file.write("before")
        command = ("export", recording.session, "--exporter", "events-csv", "-o", target)
        refused = tap.cli(*command)
        assert refused.returncode == 1 and "--force" in refused.stderr, refused
        with open(target, encoding="utf-8") as file:
            assert file.read() == "before"
        succeed(*command, "--force")
        assert os.path.getsize(target) > len("before")
        refused = tap.cli("export", recording.session, "--exporter", "events-csv", "-o", "/nonexistent/x")
        assert refused.returncode == 1 and "/nonexistent/x" in refused.stderr, refused


def limit_files():
    """Simulate a full disk: a file cannot grow beyond the limit, which gives an error instead of a
    signal."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_FILE_SIZE, SMALL_FILE_SIZE))


def test_full_disk():
    """Output that cannot be written completely is not created; an existing file is kept."""
    with Recording() as recording, tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "out")
        commands = [("report", recording.session, "-a", "threads"), ("analyze", recording.session, "-a", "threads", "--format", "json")]
        if "events-csv" in succeed("list"):
            commands.append(("export", recording.session, "--exporter", "events-csv", "--force"))
        for command in commands:
            done = tap.cli(*command, "-o", target, preexec_fn=limit_files, restore_signals=False)
            assert done.returncode == 1 and done.stderr, (command, done)
            assert os.listdir(folder) == [], (command, os.listdir(folder))
            with open(target, "w", encoding="utf-8") as file:
                file.write("before")
            assert tap.cli(*command, "-o", target, preexec_fn=limit_files, restore_signals=False).returncode == 1
            with open(target, encoding="utf-8") as file:
                assert file.read() == "before", command
            assert os.listdir(folder) == ["out"], (command, os.listdir(folder))
            os.unlink(target)
            succeed(*command, "-o", target)
            assert os.path.getsize(target) > SMALL_FILE_SIZE, (command, os.path.getsize(target))
            os.unlink(target)


def test_nothing_is_left():
    with Recording() as recording:
        with tempfile.TemporaryDirectory() as temporary:
            succeed("info", recording.csv, env=os.environ | {"TMPDIR": temporary})
            assert os.listdir(temporary) == [], os.listdir(temporary)


if __name__ == "__main__":
    sys.exit(tap.main([test_info, test_import_keeps_files, test_failed_import_leaves_nothing, test_pipes, test_threads,
                       test_selection, test_outputs, test_compare, test_several_recordings, test_several_selected, test_several_units, test_apply, test_values, test_keep, test_wait_graph, test_report, test_hostile_names, test_export,
                       test_full_disk, test_nothing_is_left]))
