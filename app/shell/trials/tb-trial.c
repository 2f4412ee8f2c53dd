/* tb-trial.c: scenario of an analysis and its predicted effect
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>

#include "shell/trials/tb-trial.h"

struct _TbTrial
{
  GObject parent;

  char *text;
  char *label;
  gboolean is_together;
  TbTrialState state;
  TbOutcome outcome; /* owns its strings; text is NULL if there is none */
  char *error;
  TbProgress *progress;
};

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (TbTrial, tb_trial, G_TYPE_OBJECT)

static void
clear_outcome (TbTrial *self)
{
  g_free ((char *) self->outcome.option);
  g_free ((char *) self->outcome.text);
  g_free ((char *) self->outcome.sentence);
  g_free ((char *) self->outcome.detail);
  self->outcome = (TbOutcome) { NULL };
  g_clear_pointer (&self->error, g_free);
}

static void
tb_trial_finalize (GObject *object)
{
  TbTrial *self = TB_TRIAL (object);

  clear_outcome (self);
  g_clear_object (&self->progress);
  g_free (self->text);
  g_free (self->label);
  G_OBJECT_CLASS (tb_trial_parent_class)->finalize (object);
}

static void
tb_trial_class_init (TbTrialClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = tb_trial_finalize;
  signals[CHANGED]
      = g_signal_new ("changed", TB_TYPE_TRIAL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
tb_trial_init (TbTrial *self)
{
  self->progress = tb_progress_new ();
}

TbTrial *
tb_trial_new (const char *text, const char *label, gboolean is_together)
{
  TbTrial *self = g_object_new (TB_TYPE_TRIAL, NULL);

  self->text = g_strdup (text);
  self->label = g_strdup (label != NULL ? label : text);
  self->is_together = is_together;
  return self;
}

static void
set_state (TbTrial *self, TbTrialState state)
{
  self->state = state;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
tb_trial_set_text (TbTrial *self, const char *text)
{
  g_return_if_fail (TB_IS_TRIAL (self));

  if (!g_set_str (&self->text, text))
    return;
  clear_outcome (self);
  set_state (self, TB_TRIAL_WAITING);
}

/* The previous outcome is kept until there is a new one. */
void
tb_trial_set_state (TbTrial *self, TbTrialState state)
{
  g_return_if_fail (TB_IS_TRIAL (self));

  if (state == TB_TRIAL_RUNNING)
    tb_progress_report (0, "", self->progress);
  set_state (self, state);
}

void
tb_trial_fail (TbTrial *self, const char *why)
{
  g_return_if_fail (TB_IS_TRIAL (self));

  clear_outcome (self);
  self->error = g_strdup (why);
  set_state (self, TB_TRIAL_FAILED);
}

void
tb_trial_take_outcome (TbTrial *self, const TbOutcome *outcome)
{
  g_return_if_fail (TB_IS_TRIAL (self) && outcome != NULL);

  clear_outcome (self);
  self->outcome = *outcome;
  self->outcome.option = g_strdup (outcome->option);
  self->outcome.text = g_strdup (outcome->text);
  self->outcome.sentence = g_strdup (outcome->sentence);
  self->outcome.detail = g_strdup (outcome->detail);
  set_state (self, TB_TRIAL_DONE);
}

const char *
tb_trial_get_text (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), NULL);
  return self->text;
}

const char *
tb_trial_get_label (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), NULL);
  return self->label;
}

gboolean
tb_trial_is_together (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), FALSE);
  return self->is_together;
}

TbTrialState
tb_trial_get_state (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), TB_TRIAL_FAILED);
  return self->state;
}

char *
tb_trial_describe (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), NULL);

  switch (self->state)
    {
    case TB_TRIAL_WAITING:
      return g_strdup (_ ("Waits for its turn…"));
    case TB_TRIAL_RUNNING:
      return tb_progress_get_share (self->progress) > 0
                 ? g_strdup_printf (_ ("Predicting… %.0f %%"), 100 * tb_progress_get_share (self->progress))
                 : g_strdup (_ ("Predicting…"));
    case TB_TRIAL_FAILED:
      return g_strdup (self->error);
    case TB_TRIAL_CANCELLED:
      return g_strdup (_ ("Canceled"));
    case TB_TRIAL_DONE:
    default:
      return g_strdup (self->outcome.sentence);
    }
}

const TbOutcome *
tb_trial_get_outcome (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), NULL);
  return self->outcome.text != NULL ? &self->outcome : NULL;
}

TbProgress *
tb_trial_get_progress (TbTrial *self)
{
  g_return_val_if_fail (TB_IS_TRIAL (self), NULL);
  return self->progress;
}
