"""The table of what an expert answers and what Tailback reports first."""
# SPDX-License-Identifier: GPL-3.0-or-later

import textwrap

WIDTH = 130
VERDICTS = ("right", "wrong", "not proven", "skipped", "failed")


def wrap(title, text):
    return textwrap.fill(f"{title:<10}{text}", WIDTH, initial_indent="  ",
                         subsequent_indent=" " * 12, break_long_words=False)


def ms(facts):
    return ", ".join(f"{name} {ns / 1e6:.0f} ms" for name, ns in facts.items())


def format_result(result):
    lines = [f"{result['case']}: {result['verdict']}", wrap("program", result["title"]),
             wrap("expert", result["expected"])]
    if "got" in result:
        lines.append(wrap("Tailback", f"[{result['analysis']}: {result['code']}] {result['got']}"))
    lines += [wrap("lacks", text) for text in result.get("lacks", [])]
    if result.get("facts"):
        lines.append(wrap("facts", f"{ms(result['facts'])}, of {result['wall_ns'] / 1e6:.0f} ms"))
    lines += [wrap("false", text) for text in result.get("refuted", [])]
    lines += [wrap("paths", text) for text in result.get("paths", [])]
    if "reason" in result:
        lines.append(wrap("reason", result["reason"]))
    return "\n".join(lines)


def format_table(results, sealed):
    """Return the whole table: how many are right, one line for each, then each in detail."""
    ran = [result for result in results if result["verdict"] not in ("skipped",)]
    lines = [*sorted({f"{result['date']}  {result['machine']}, collector {result['collector']}"
                      for result in results if "machine" in result}), "",
             f"{sum(result['verdict'] == 'right' for result in ran)} of {len(ran)} are right; "
             f"{sum(bool(result.get('refuted')) for result in ran)} "
             "with a false finding of severity high; "
             f"{sum(bool(result.get('paths')) for result in ran)} "
             "with less than 99.5 % accounted for, or more than 1 % on another path", ""]
    for result in results:
        mark = " (sealed)" if result["case"] in sealed else ""
        accounted = (f"{result['accounted_share']:.2%} / {result['other_path_share']:.2%}"
                     if "accounted_share" in result else "")
        lines.append(f"{result['case'] + mark:<26}{result['verdict']:<12}"
                     f"{result.get('code', ''):<24}{accounted}")
    missing = [name for name in sealed if name not in {result["case"] for result in results}]
    lines += [f"{name + ' (sealed)':<26}not run" for name in missing]
    return "\n".join([*lines, "", *(format_result(result) + "\n" for result in results)])
