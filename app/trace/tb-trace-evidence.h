/* tb-trace-evidence.h: kinds of events that a recording has, and the questions that can be answered
 * from them, as JSON and as advice on what to record; unit and period of its samples
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <json-glib/json-glib.h>

#include "trace/tb-trace.h"

G_BEGIN_DECLS

/**
 * TbSwitchEvidence:
 * @TB_SWITCHES_NONE: no thread switches
 * @TB_SWITCHES_THREAD: when the recorded threads had a CPU, but not which threads had the CPUs
 *   meanwhile
 * @TB_SWITCHES_SYSTEM: every switch of the recorded CPUs
 *
 * Which thread switches a recording has.
 */
typedef enum
{
  TB_SWITCHES_NONE,
  TB_SWITCHES_THREAD,
  TB_SWITCHES_SYSTEM,
} TbSwitchEvidence;

/**
 * TbSampleEvidence:
 * @TB_SAMPLES_NONE: no samples
 * @TB_SAMPLES_NO_TIME: samples of which it is not known when they were taken
 * @TB_SAMPLES_TIME: samples with their times
 *
 * Which samples a recording has.
 */
typedef enum
{
  TB_SAMPLES_NONE,
  TB_SAMPLES_NO_TIME,
  TB_SAMPLES_TIME,
} TbSampleEvidence;

/**
 * TbQuestion:
 * @TB_QUESTION_PROFILE: in which functions CPU time goes (samples)
 * @TB_QUESTION_RUNNING: when a thread runs, and for how long (switches)
 * @TB_QUESTION_WAITING: when a thread waits, and for how long (switches)
 * @TB_QUESTION_CPU_WAITS: when a thread waits for a CPU (switches and wake-ups)
 * @TB_QUESTION_CAUSES: what ended a wait (wake-ups)
 * @TB_QUESTION_FUNCTIONS: in which functions a thread waits (switches with stacks)
 * @TB_QUESTION_CALLS: how long calls take (system calls, or probed functions)
 *
 * What a recording may answer. Without the evidence in parentheses the answer is unknown.
 */
typedef enum
{
  TB_QUESTION_PROFILE,
  TB_QUESTION_RUNNING,
  TB_QUESTION_WAITING,
  TB_QUESTION_CPU_WAITS,
  TB_QUESTION_CAUSES,
  TB_QUESTION_FUNCTIONS,
  TB_QUESTION_CALLS,
} TbQuestion;

/**
 * TB_N_QUESTIONS:
 *
 * Number of the values of [enum@Question].
 */
#define TB_N_QUESTIONS (TB_QUESTION_CALLS + 1)

/**
 * TbEvidence:
 * @has_summed_waits: whether sums of waits with stacks were recorded, from which it does not follow
 *   when and how often a thread waited
 * @switches: thread switches
 * @samples: samples
 * @has_wakeups: whether wake-ups were recorded
 * @has_calls: whether system calls or calls of probed functions were recorded
 * @has_stacks: whether switches have stacks
 *
 * What a recording has. Nothing follows from what it does not have.
 */
typedef struct _TbEvidence TbEvidence;

struct _TbEvidence
{
  TbSwitchEvidence switches;
  TbSampleEvidence samples;
  gboolean has_wakeups;
  gboolean has_calls;
  gboolean has_stacks;
  gboolean has_summed_waits;
};

TB_EXPORT const TbEvidence *tb_trace_get_evidence (TbTrace *self);
TB_EXPORT void tb_evidence_intersect (TbEvidence *self, const TbEvidence *other);
TB_EXPORT gboolean tb_evidence_answers (const TbEvidence *self, TbQuestion question);
TB_EXPORT const char *tb_question_get_id (TbQuestion question);
TB_EXPORT JsonNode *tb_evidence_to_json (const TbEvidence *self);
TB_EXPORT char *tb_evidence_describe (const TbEvidence *self);
TB_EXPORT gboolean tb_trace_are_sample_weights_times (TbTrace *self);
TB_EXPORT gboolean tb_trace_are_samples_of_one_mode (TbTrace *self);
TB_EXPORT gint64 tb_trace_get_sample_period (TbTrace *self);
TB_EXPORT gboolean tb_trace_has_states (TbTrace *self, guint32 thread);

G_END_DECLS
