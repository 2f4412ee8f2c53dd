"""Comparison of a finding with an expert's answer, and of findings with facts."""
# SPDX-License-Identifier: GPL-3.0-or-later

import re

TOLERANCE = 0.1
OTHER_PATH = 0.01

# What an expert calls it, and the codes of findings that mean it. A code may be added here when an
# analysis gets it; the kinds that a case expects stay as they are.
CODES = {
    "computing": ("cpu-bound",),
    "disk": ("disk-wait",),
    "swap": ("swap-wait",),
    "sleep": ("deliberate-sleep", "timer-wait"),
    "polling": ("polling-by-sleeping",),
    "lock": ("lock-contention", "file-lock-contention"),
    "quota": ("cpu-quota",),
    "garbage collection": ("garbage-collection",),
}
# Where a finding names a thing.
NAMED = {
    "process": ("process",),
    "thread": ("thread", "awaited_thread", "awaited"),
    "object": ("object", "file", "files", "lock", "path", "function", "wait_function",
               "failing_call"),
    "function": ("function", "wait_function"),
    "place": ("lock", "object", "function", "wait_function"),
}
# The time of a finding, by kind; the first ones are the most exact.
TIMES = {
    "computing": ("running_ns", "activity_ns", "own_ns"),
    "disk": ("awaited_ns", "activity_ns", "wait_ns", "own_ns"),
    "swap": ("awaited_ns", "activity_ns", "wait_ns", "own_ns"),
    "sleep": ("awaited_ns", "activity_ns", "wait_ns", "own_ns"),
    "polling": ("sleep_ns", "polling_ns", "awaited_ns", "activity_ns", "wait_ns", "own_ns"),
    "lock": ("wait_ns", "awaited_ns"),
    "quota": ("throttled_ns", "runnable_ns", "wait_ns"),
    "garbage collection": ("pause_ns", "running_ns", "awaited_ns", "wait_ns"),
}


def find_kind(answer, finding):
    return next((kind for kind in answer.kinds if finding["code"] in CODES[kind]), None)


def texts_of(finding, what):
    values = finding.get("values", {})
    found = [values[key] for key in NAMED[what] if values.get(key)]
    return " ".join(" ".join(map(str, one)) if isinstance(one, list) else str(one) for one in found)


def times_of(finding, kind):
    """Return the times that the finding has: of the thread or program that it names, and with all
    that it reports as alike."""
    values = finding.get("values", {})
    more = values.get("more_threads_ns") or 0
    found = [values[key] for key in TIMES[kind] if isinstance(values.get(key), int)]
    return [*found, *(time + more for time in found if more)]


def check_time(answer, kind, finding, facts, wall_ns):
    """Return what is wrong with the time of the finding; an empty text if nothing is."""
    times = times_of(finding, kind)
    if not times:
        return "it has no time"
    if answer.amount:
        fact = facts[answer.amount]
        nearest = min(times, key=lambda time: abs(time - fact))
        if abs(nearest - fact) <= TOLERANCE * fact:
            return ""
        return f"{nearest / 1e6:.0f} ms instead of {fact / 1e6:.0f} ms ({answer.amount})"
    shares = [time / wall_ns for time in times]
    if any(answer.share[0] <= share <= answer.share[1] for share in shares):
        return ""
    return f"{max(shares):.0%} of the time"


def check_answer(answer, finding, facts, wall_ns):
    """Return what the finding lacks of the answer: [text], empty if it is the answer."""
    if finding is None:
        return ["there is no finding"]
    kind = find_kind(answer, finding)
    wrong = [] if kind else [f"{finding['code']} instead of {' or '.join(answer.kinds)}"]
    for what, pattern in answer.names.items():
        found = texts_of(finding, what)
        if not re.search(pattern, found):
            wrong.append(f"{what}: {found or 'not named'} instead of {pattern}")
    if kind:
        wrong.append(check_time(answer, kind, finding, facts, wall_ns))
    return [text for text in wrong if text]


# --- findings of severity high ---

def measured_limit(finding, truth):
    """Return (ns of the finding, most that the facts allow, what), or None if no fact shows it."""
    values, code = finding.get("values", {}), finding["code"]
    pid = values.get("pid")
    if not isinstance(pid, int) or not truth.knows(pid):
        return None
    if code == "cpu-bound" and isinstance(values.get("running_ns"), int):
        return values["running_ns"], truth.running(".*", pid), "running"
    if code == "cpu-contention" and isinstance(values.get("runnable_ns"), int):
        return values["runnable_ns"], truth.ready(".*", pid), "ready to run"
    waits = "lock-contention" in code or code.endswith("-wait")
    wait = values.get("awaited_ns") if code == "disk-wait" else values.get("wait_ns")
    if waits and isinstance(wait, int):
        return wait, truth.in_disk(".*", pid) + truth.sleeping(".*", pid), "waiting"
    return None


def is_about_recorder(finding):
    values = finding.get("values", {})
    return any(isinstance(values.get(key), str) and values[key].startswith("tailback")
               for key in ("process", "thread"))


def list_refuted(reports, truth):
    """Return the sentences of severity high that state more than the facts, or are about the
    recorder itself."""
    found = []
    for report in reports:
        for finding in report["findings"]:
            if finding["severity"] != "high":
                continue
            limit = measured_limit(finding, truth)
            if is_about_recorder(finding):
                found.append(f"{report['analysis']}: {finding['text']} (that is the recorder)")
            elif limit and limit[0] > limit[1] * (1 + TOLERANCE) + 5e6:
                found.append(f"{report['analysis']}: {finding['text']} "
                             f"({limit[2]} {limit[1] / 1e6:.0f} ms)")
    return found
