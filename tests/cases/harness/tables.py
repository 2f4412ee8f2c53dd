"""Readable tables of kept results: one case, the paper's table, its cumulative curve."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

ROWS = [  # from best to least understood, in the order of the paper's curve
    ("understood_functions", "in understood functions"), ("inferred_functions", "in inferred functions"),
    ("blocking_io", "in blocking I/O"), ("network", "in the network"), ("deliberate_sleep", "deliberate sleeps"),
    ("not_sampled", "running but not sampled"), ("io_queue", "I/O queue"), ("scheduler", "scheduler overhead"),
    ("hardware", "waits for hardware"), ("involuntary", "involuntary sleeps"), ("kernel_block", "kernel blocks"),
    ("timed_out", "waits that timed out"), ("other_path", "waiting on another path"), ("unaccounted", "unaccounted"),
]
INKS = ["#1a5fb4", "#c01c28", "#26a269", "#e66100", "#613583", "#865e3c", "#000000", "#2190a4", "#a51d2d", "#5e5c64"]


def ms(ns):
    value = ns / 1e6
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 0.005 or value == 0 else "<0.01"


def expectation_lines(expectations):
    return [f"  {'ok    ' if one['holds'] else 'FAILED'} {one['what']}: {one['detail']}" for one in expectations]


def format_case(result):
    lines = [f"{result['case']}: {result['title']}"]
    if "recording" in result:
        kept = result["recording"]
        lines.append(f"  {result['date']}  {result['machine']}, load {result['load']}{', before all other work' if result['undisturbed'] else ''}, collector {result['collector']}: "
                     f"{kept['events']} events in {kept['ns'] / 1e9:.2f} s, {kept['lost']} lost")
    if "categories" in result:
        lines.append(f"  wall {ms(result['wall_ns'])} ms, total {ms(result['total_ns'])} ms, accounted "
                     f"{result['accounted_share']:.2%}, explained {result['explained_share']:.1%}")
        lines += [f"  {one['share']:6.1%}  {one['process']} (running {ms(one['running_ns'])} ms, I/O {ms(one['io_ns'])} ms)"
                  f" called through {' → '.join(one['called_through'])}" for one in result["contributors"]]
        lines += [f"  “{text}”" for text in result["findings"]]
    if "found" in result:
        lines += [f"  {result['found']['kind']}: {', '.join(result['found']['names'])}; top edge {format_edge(result['found']['edge'])}; "
                  f"by waiting time alone {format_edge(result['found']['plain'])}"]
        lines += [f"  “{text}”" for text in result["findings"]]
    lines += expectation_lines(result["expectations"])
    return "\n".join(lines) + "\n"


def format_pairs(results):
    """Return the table of throughput before and after the fix of each knot."""
    lines = [f"{'case':<20}{'before':>12}{'after':>12}{'times':>8}   fix"]
    lines += [f"{result['case']:<20}{result['before']:>12.1f}{result['after']:>12.1f}{result['gain']:>8.2f}   {result['fix']}"
              for result in results if "gain" in result]
    return "\n".join(lines) + "\n"


def format_prediction_lines(results):
    lines = [f"{'case':<20}{'runs':>5}{'predicted':>10}{'low':>7}{'high':>7}{'width':>7}{'measured':>10}{'inside':>8}{'best':>7}{'inside':>8}"
             f"{'from':>7}{'to':>7}{'replay off':>12}{'recording':>11}{'load':>6}   what if  (fix)"]
    for result in results:
        one = result["prediction"]
        low, middle, high = one["factors"]
        lines.append(f"{result['case']:<20}{one['recordings']:>5}{middle:>10.2f}{low:>7.2f}{high:>7.2f}{one['width']:>7.0%}"
                     f"{one['measured']:>10.2f}{'yes' if one['holds'] else 'no':>8}{one['best']:>7.2f}{'yes' if one['best_holds'] else 'no':>8}"
                     f"{one['gains'][0]:>7.2f}{one['gains'][-1]:>7.2f}{one['replay_deviation']:>+12.1%}{-one['recording_costs']:>+11.0%}"
                     f"{result['load']:>6.1f}   {one['change']}  ({one['fix']})")
    inside, best, narrow = (sum(map(bool, found)) for found in
                            ([result["prediction"]["holds"] for result in results], [result["prediction"]["best_holds"] for result in results],
                             [result["prediction"]["width"] <= 0.25 for result in results]))
    return [*lines, "", f"of {len(results)} measured gains {inside} inside ({best} where the best runs are compared), {narrow} intervals within ±25 %"]


def format_predictions(results, held_out):
    """Return the table of predicted and measured speed-ups of the fixes."""
    origins = sorted({f"{result['date']}  {result['commit']}  {result['machine']}" for result in results + held_out})
    lines = [*origins, "",
             "Times as fast, 90 % intervals. In each round: before and after without a recording, and a recording of before, in orders that take turns; predicted",
             "from all recordings. Measured: median after / median before, both not recorded; best: best after / best before; from, to: the",
             "least and the most of the rounds. Recording: the throughput before while it was recorded, against that while it was not",
             "(medians); the analysis gets the speed of each earlier run. "
             "Load: average over a minute, with that of the measurement."
             + (" Run before all other work on the machine (SCHED_RR)." if os.sched_getscheduler(0) == os.SCHED_RR else ""), "",
             *format_prediction_lines(results)]
    if held_out:
        lines += ["", "Held out: programs and changes were written before their first prediction was seen", "", *format_prediction_lines(held_out)]
    return "\n".join(lines) + "\n"


def format_edge(edge):
    return f"{edge['from']} → {edge['to']}" if edge else "none"


def format_bound(result):
    """Format the upper bound as a share of the time and as a throughput ratio."""
    bound, recorded = result["found"]["bound_ns"], result["recorded_ns"]
    if bound is None:
        return "none: it runs"
    return f"{bound / recorded:.0%}" + (f", {recorded / (recorded - bound):.2f}×" if bound < recorded else "")


def format_knots(results):
    """Return the table of the analysis's bottlenecks, the ranking by waiting time alone, and the
    effect of the fix."""
    titles = ["case", "found", "top edge", "waits", "bound", "before", "after", "times", "measured", "load", "recorded", "load",
              "by waiting time alone", "as known"]
    rows = [titles]
    for result in results:
        found, edge = result["found"], result["found"]["edge"]
        # absent in older results
        measured = result.get("measured") or {"date": "unknown", "load": "unknown"}
        known = all(one["holds"] for one in result["expectations"])
        rows.append([result["case"], f"{found['kind']}: {', '.join(found['names'])}", format_edge(edge),
                     f"{ms(edge['plain_ns'])} ms" if edge else "", format_bound(result), f"{result['before']:.0f}",
                     f"{result['after']:.0f}", f"{result['gain']:.2f}", measured["date"], f"{measured['load']}",
                     result["date"], f"{result['load']}", format_edge(found["plain"]), "yes" if known else "NO"])
    widths = [max(len(row[i]) for row in rows) for i in range(len(titles))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    for result in results:
        edge = result["found"]["edge"]
        lines += ["", f"{result['case']}: {result['cause']}"]
        if edge:
            stack = " → ".join(edge["stack"][-4:]) if edge["stack"] else "no stack"
            lines.append(f"  {format_edge(edge)} in {stack}" + (f", lock {edge['lock']}" if edge["lock"] else ""))
        lines += expectation_lines(result["expectations"])
    return "\n".join(lines) + "\n"


def explained_results(results):
    return [result for result in results if "categories" in result]


def format_categories(results):
    """Return the paper's table: milliseconds by category, one column per case."""
    results = explained_results(results)
    width = max([12] + [len(result["case"]) + 2 for result in results])

    def row(title, values):
        return f"{title:<26}" + "".join(f"{value:>{width}}" for value in values)

    lines = [row("ms", [result["case"] for result in results]), row("processes", [result["processes"] for result in results]),
             row("wall time", [ms(result["wall_ns"]) for result in results]),
             row("total time", [ms(result["total_ns"]) for result in results])]
    lines += [row(title, [ms(result["categories"][key]) for result in results]) for key, title in ROWS]
    lines += [row("accounted", [f"{result['accounted_share']:.2%}" for result in results]),
              row("explained", [f"{result['explained_share']:.1%}" for result in results]),
              row("  its goal", [f"{result['explained_goal']:.0%}{' *' if result['awaits_timeouts'] else ''}" for result in results])]
    return "\n".join([*lines, "* with the waits that timed out, which are that workload's purpose"]) + "\n"


def cumulative(result):
    """Return cumulative shares of the total without waits on other paths, as in the paper's
    curve."""
    categories = result["categories"]
    whole = max(result["total_ns"] - categories["other_path"], 1)
    shares, sofar = [], 0
    for key, _ in ROWS:
        if key != "other_path":
            sofar += categories[key]
            shares.append(sofar / whole)
    return shares


def format_curve(results):
    results = explained_results(results)
    width = max([12] + [len(result["case"]) + 2 for result in results])
    curves = [cumulative(result) for result in results]
    titles = [title for key, title in ROWS if key != "other_path"]
    lines = [f"{'cumulative share':<26}" + "".join(f"{result['case']:>{width}}" for result in results)]
    lines += [f"{title:<26}" + "".join(f"{curve[i]:>{width}.1%}" for curve in curves) for i, title in enumerate(titles)]
    return "\n".join(lines) + "\n"


def draw_curve(results):
    results = explained_results(results)
    titles = [title for key, title in ROWS if key != "other_path"]
    left, top, step, height = 60, 20, 60, 360
    width = left + step * (len(titles) - 1)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 190} {top + height + 150}" '
             'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for tenth in range(0, 11, 2):
        y = top + height * (10 - tenth) / 10
        parts.append(f'<path d="M{left} {y}H{width}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tenth * 10} %</text>')
    for i, title in enumerate(titles):
        x, y = left + step * i, top + height + 16
        parts.append(f'<text x="{x}" y="{y}" text-anchor="end" transform="rotate(-40 {x} {y})">{title}</text>')
    for i, result in enumerate(results):
        points = " ".join(f"{left + step * j},{top + height * (1 - share):.1f}" for j, share in enumerate(cumulative(result)))
        ink = INKS[i % len(INKS)]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>'
                     f'<text x="{width + 16}" y="{top + 16 + 18 * i}" fill="{ink}">{result["case"]}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"
