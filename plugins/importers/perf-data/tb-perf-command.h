/* tb-perf-command.h: the command that perf started, found in perf's own command line behind perf's
 * options, and quoted as for a shell
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  TB_PERF_COMMAND_NONE,    /* perf recorded the system or existing tasks */
  TB_PERF_COMMAND_KNOWN,   /* it follows perf's options */
  TB_PERF_COMMAND_UNKNOWN, /* perf has options that are not known here */
} TbPerfCommandKind;

/* words: perf's command line. *first: index of the first word of the command, if it is known.
 * *of_system: whether an option asks for all CPUs */
TbPerfCommandKind
tb_perf_command_find (const char *const *words, guint *first, gboolean *of_system);
/* Whether word starts the program that the kernel calls name, which has at most 15 bytes. */
gboolean tb_perf_command_is_program (const char *word, const char *name);
/* Returns the words as a shell would need them. */
char *tb_perf_command_join (const char *const *words);

G_END_DECLS
