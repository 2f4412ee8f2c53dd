/* tb-agent-status-sentences.h: table of the sentences for the codes of STATUS records from
 * tailback-agent; for each %s of a sentence, the kind of argument that replaces it (number, error,
 * cause, …; replaced by tb-agent-status.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* Sources of a sentence's parts, in their order: one letter for each %s */
typedef enum
{
  TB_AGENT_PART_TEXT = 's',
  TB_AGENT_PART_NUMBER = 'n',
  TB_AGENT_PART_MILLISECONDS = 'm', /* a number of ns */
  TB_AGENT_PART_MICROSECONDS = 'u', /* the same without decimals */
  TB_AGENT_PART_YES_OR_NO = 'y',    /* 0: no */
  TB_AGENT_PART_ERROR = 'e',        /* the errno, not an argument */
  TB_AGENT_PART_CAUSE = 'c',
  TB_AGENT_PART_CAUSES = 'l',   /* all remaining causes, separated by commas */
  TB_AGENT_PART_REFUSALS = 'L', /* the same, separated by semicolons */
  TB_AGENT_PART_SOFTIRQS = 'q', /* all remaining arguments: number in the kernel, count, ns */
} TbAgentPart;

typedef struct
{
  const char *sentence; /* to be translated; NULL: unknown code */
  const char *parts;
} TbAgentSentence;

TbAgentSentence tb_agent_sentence_get (guint code);

G_END_DECLS
