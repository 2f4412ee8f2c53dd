/* control-paths-fixture.h: recordings from text and their control-paths reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Creates a temporary folder for recordings; it is removed at the end. */
void control_paths_fixture_init (void);
void control_paths_fixture_clear (void);

/* Imports lines of the plain-text format (without its header) or, if text is NULL, a fixture. */
TbTrace *control_paths_open (const char *fixture, const char *text);
/* A recording built event by event: lines of the plain-text format. Times in µs. */
typedef GString Script;

void script_name (Script *script, gint32 tid, const char *name, gint32 pid);
void script_switch (Script *script,
                    gint64 us,
                    int cpu,
                    gint32 prev,
                    char state,
                    gint32 next,
                    const char *stack);
void script_wake (Script *script, gint64 us, int cpu, gint32 waker, gint32 wakee);
void script_fork (Script *script, gint64 us, int cpu, gint32 creator, gint32 child);
void script_exec (Script *script, gint64 us, int cpu, gint32 tid, const char *program);
void script_exit (Script *script, gint64 us, int cpu, gint32 tid);
void script_sample (Script *script, gint64 us, int cpu, gint32 tid, const char *stack);
/* The timer interrupt of a CPU wakes a thread. */
void script_wake_by_timer (Script *script, gint64 us, int cpu, gint32 tid);
/* Adds any other line; rest is the line after its time. */
void script_add (Script *script, gint64 us, const char *rest);
/* Opens the recording and frees the story. */
TbTrace *script_open (Script *script);

/* options: names and values in turn, NULL at the end. */
TbReport *control_paths_try (TbTrace *trace, TbSelection *selection, GError **error, ...)
    G_GNUC_NULL_TERMINATED;
/* Analyzes a process with the default options. */
TbReport *control_paths_explain (TbTrace *trace, const char *process);
/* Returns the summary, after a check of the invariants of every report. */
JsonObject *control_paths_get_summary (TbReport *report);

gint64 control_paths_get_category (JsonObject *summary, const char *name);
/* Asserts every category: names and ns in turn, NULL at the end. Categories not named must be 0. */
void control_paths_assert_categories (JsonObject *summary, ...) G_GNUC_NULL_TERMINATED;
/* Returns the contributor with that name, or NULL. */
JsonObject *control_paths_find_contributor (JsonObject *summary, const char *process);
/* Joins an array of strings: "a b c". */
char *control_paths_join (JsonObject *object, const char *member);
guint64 control_paths_get_dropped (JsonObject *summary, const char *part_of_reason);

G_END_DECLS
