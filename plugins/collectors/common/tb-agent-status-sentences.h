/* tb-agent-status-sentences.h: the sentence of each code of a STATUS record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

#include "capture/tb-capture-format.h"

G_BEGIN_DECLS

/* What the parts of a sentence are made from, in their order: one letter for each %s. */
typedef enum
{
  TB_AGENT_PART_TEXT = 's',
  TB_AGENT_PART_NUMBER = 'n',
  TB_AGENT_PART_MILLISECONDS = 'm', /* a number of ns */
  TB_AGENT_PART_MICROSECONDS = 'u', /* likewise, without decimals */
  TB_AGENT_PART_YES_OR_NO = 'y',    /* 0: no */
  TB_AGENT_PART_ERROR = 'e',        /* the errno, no argument */
  TB_AGENT_PART_CAUSE = 'c',
  TB_AGENT_PART_CAUSES = 'l',   /* all that follow, with commas between them */
  TB_AGENT_PART_REFUSALS = 'L', /* likewise, with semicolons */
  TB_AGENT_PART_SOFTIRQS = 'q', /* all that follow: number in the kernel, how many, ns */
} TbAgentPart;

typedef struct
{
  const char *sentence; /* to be translated; NULL: the code is not known */
  const char *parts;
} TbAgentSentence;

TbAgentSentence tb_agent_sentence_get (guint code);

G_END_DECLS
