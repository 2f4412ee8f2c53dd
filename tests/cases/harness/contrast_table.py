"""Results of the calling-context cases, as the second table of IntroPerf's paper."""
# SPDX-License-Identifier: GPL-3.0-or-later

import datetime

from harness.tables import expectation_lines

LEGEND = """\
p_min: the rank of the first path that has the cause in it as it is known to be called (the paper: the function alone), by each
estimate (conservative/aggressive/refined) and, by the refined one, from system calls and switches alone, as the paper's
recordings were. f_min: calls between the costliest function of that path and the cause. module: the rank of the cause's module
among those that cost more. |I|, |P|, |F|, l: modules, paths, functions and the mean length of paths of the slow recording.
"""


def format_rank(judged):
    return str(judged[0]) if judged and judged[0] is not None else "–"


def format_case_row(result):
    lines = [f"{result['case']}: {result['title']}; {result['cause']}", f"  known: {' → '.join(result['path'])} in {result['module']}"]
    if "first" in result:
        lines += [f"  first: {' → '.join(result['first'])}", *(f"  “{text}”" for text in result["findings"]),
                  *(f"  warning: {text}" for text in result["warnings"])]
    return "\n".join([*lines, *expectation_lines(result["expectations"])]) + "\n"


def row_of(result):
    kind = "Internal" if result["internal"] else "External"
    truth = "Inject" if result["injected"] else "Patch"
    if "rank" not in result:
        return [result["program"], result["bug"] or "–", *["–"] * 9, result["module"], result["path"][-1], kind, truth]
    estimates = "/".join(format_rank(result["ranks"][name]) for name in ("conservative", "aggressive", "refined"))
    return [result["program"], result["bug"] or "–", result["modules"], result["paths"], result["functions"], f"{result['length']:.2f}",
            format_rank(result["ranks"]["refined"]), "–" if result["distance"] is None else result["distance"], estimates,
            format_rank(result["without_samples"]), result["module_rank"] or "–", result["module"], result["path"][-1], kind, truth]


def format_all(results, machine, commit, seconds):
    titles = ["program", "bug", "|I|", "|P|", "|F|", "l", "p_min", "f_min", "c/a/r", "kernel", "module", "root-cause module", "root cause", "", "truth"]
    rows = [[str(cell) for cell in row] for row in [titles, *map(row_of, results)]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(titles))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    judged = [result for result in results if result.get("rank")]
    first, near = (sum(result["rank"] <= most for result in judged) for most in (1, 3))
    injected = [result for result in results if result["injected"]]
    bugs = {result["bug"] for result in results if not result["injected"]}
    own = sum(result.get("distance") == 0 for result in injected)
    loads = [result["load"] for result in results]
    return "\n".join([
        f"{datetime.date.today().isoformat()}  {machine}, load {min(loads)} to {max(loads)}, commit {commit}, made in {seconds:.0f} s",
        "", LEGEND, *lines, "",
        f"{len(results)} cases, {sum(result['internal'] for result in results)} internal and "
        f"{sum(not result['internal'] for result in results)} external, {len(results) - len(injected)} with {len(bugs)} bugs of real programs: "
        f"the true path first in {first}, among the first three in {near}; function distance 0 in {own} of {len(injected)} injected", "",
        *(line for result in results for line in [f"{result['case']}: {result['cause']}", *failures(result)])]) + "\n"


def failures(result):
    return [f"  FAILED {one['what']}: {one['detail']}" for one in result["expectations"] if not one["holds"]]
