/* tb-scenario.c: one scenario of an analysis: text, label, state and progress of its prediction,
 * predicted effect or error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/scenarios/tb-scenario.h"

struct _TbScenario
{
  GObject parent;

  char *text;
  char *label;
  gboolean is_combined;
  TbScenarioState state;
  TbScenarioOutcome outcome; /* owns its strings; text is NULL if there is none */
  char *error;
  TbProgress *progress;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbScenario, tb_scenario, G_TYPE_OBJECT)

static void
clear_outcome (TbScenario *self)
{
  g_free ((char *) self->outcome.option);
  g_free ((char *) self->outcome.text);
  g_free ((char *) self->outcome.sentence);
  g_free ((char *) self->outcome.detail);
  self->outcome = (TbScenarioOutcome) { NULL };
  g_clear_pointer (&self->error, g_free);
}

static void
tb_scenario_finalize (GObject *object)
{
  TbScenario *self = TB_SCENARIO (object);

  clear_outcome (self);
  g_clear_object (&self->progress);
  g_free (self->text);
  g_free (self->label);
  G_OBJECT_CLASS (tb_scenario_parent_class)->finalize (object);
}

static void
tb_scenario_class_init (TbScenarioClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_scenario_finalize;
  signals[CHANGED] = g_signal_new ("changed", TB_TYPE_SCENARIO, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
tb_scenario_init (TbScenario *self)
{
  self->progress = tb_progress_new ();
}

TbScenario *
tb_scenario_new (const char *text, const char *label, gboolean is_combined)
{
  TbScenario *self = g_object_new (TB_TYPE_SCENARIO, NULL);

  self->text = g_strdup (text);
  self->label = g_strdup (label != NULL ? label : text);
  self->is_combined = is_combined;
  return self;
}

static void
set_state (TbScenario *self, TbScenarioState state)
{
  self->state = state;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
tb_scenario_set_text (TbScenario *self, const char *text)
{
  g_return_if_fail (TB_IS_SCENARIO (self));

  if (!g_set_str (&self->text, text))
    return;
  clear_outcome (self);
  set_state (self, TB_SCENARIO_WAITING);
}

/* The previous outcome is kept until there is a new one. */
void
tb_scenario_set_state (TbScenario *self, TbScenarioState state)
{
  g_return_if_fail (TB_IS_SCENARIO (self));

  if (state == TB_SCENARIO_RUNNING)
    tb_progress_report (0, "", self->progress);
  set_state (self, state);
}

void
tb_scenario_fail (TbScenario *self, const char *why)
{
  g_return_if_fail (TB_IS_SCENARIO (self));

  clear_outcome (self);
  self->error = g_strdup (why);
  set_state (self, TB_SCENARIO_FAILED);
}

void
tb_scenario_take_outcome (TbScenario *self, const TbScenarioOutcome *outcome)
{
  g_return_if_fail (TB_IS_SCENARIO (self) && outcome != NULL);

  clear_outcome (self);
  self->outcome = *outcome;
  self->outcome.option = g_strdup (outcome->option);
  self->outcome.text = g_strdup (outcome->text);
  self->outcome.sentence = g_strdup (outcome->sentence);
  self->outcome.detail = g_strdup (outcome->detail);
  set_state (self, TB_SCENARIO_DONE);
}

const char *
tb_scenario_get_text (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), NULL);
  return self->text;
}

const char *
tb_scenario_get_label (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), NULL);
  return self->label;
}

gboolean
tb_scenario_is_combined (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), FALSE);
  return self->is_combined;
}

TbScenarioState
tb_scenario_get_state (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), TB_SCENARIO_FAILED);
  return self->state;
}

char *
tb_scenario_describe (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), NULL);

  switch (self->state)
    {
    case TB_SCENARIO_WAITING:
      return g_strdup (_ ("Waiting for earlier predictions…"));
    case TB_SCENARIO_RUNNING:
      return tb_progress_get_share (self->progress) > 0
                 ? g_strdup_printf (_ ("Predicting… %.0f %%"),
                                    100 * tb_progress_get_share (self->progress))
                 : g_strdup (_ ("Predicting…"));
    case TB_SCENARIO_FAILED:
      return g_strdup (self->error);
    case TB_SCENARIO_CANCELLED:
      return g_strdup (_ ("Canceled"));
    case TB_SCENARIO_DONE:
    default:
      return g_strdup (self->outcome.sentence);
    }
}

const TbScenarioOutcome *
tb_scenario_get_outcome (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), NULL);
  return self->outcome.text != NULL ? &self->outcome : NULL;
}

TbProgress *
tb_scenario_get_progress (TbScenario *self)
{
  g_return_val_if_fail (TB_IS_SCENARIO (self), NULL);
  return self->progress;
}
