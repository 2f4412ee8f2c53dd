/* calling-contexts-fixture.h: recordings from text and their calling-contexts reports
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

#define LINE(time, kind, rest) #time ",0," kind "," rest "\n"
#define STACK(time, kind, stack) LINE (time, kind, ",,,,,,11,,,x," stack ",,")

extern char *folder;

TbTrace *open_file (const char *name);
TbTrace *open_text (const char *name, const char *lines);
TbAnalysis *create_analysis (const char *options);
TbReport *analyze (TbTrace *trace, const char *options);
JsonObject *get_summary (TbReport *report);
JsonObject *get_element (JsonObject *object, const char *member, guint index);
char *describe_path (JsonObject *path);
void assert_path (TbReport *report, guint rank, gint64 cost, const char *expected);
guint count (TbReport *report, const char *member);
gboolean has_warning (TbReport *report, const char *part);
TbReport *compare (TbTrace *base, TbTrace *other, const char *options);
gint64 get_int (JsonObject *object, const char *member);
/* Creates the folder for recordings, runs the tests and removes the folder. */
int run_tests (void);

G_END_DECLS
