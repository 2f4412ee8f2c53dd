/* tb-progress.c: progress of a long operation: share and text, reported by any thread, published
 * in the main thread as properties that notify of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-progress.h"

struct _TbProgress
{
  GObject parent;

  GMutex lock;
  double reported_share;
  char *reported_text;
  guint idle;

  double share;
  char *text;
};

enum
{
  PROP_0,
  PROP_SHARE,
  PROP_TEXT,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (TbProgress, tb_progress, G_TYPE_OBJECT)

static void
tb_progress_finalize (GObject *object)
{
  TbProgress *self = TB_PROGRESS (object);

  g_mutex_clear (&self->lock);
  g_free (self->reported_text);
  g_free (self->text);
  G_OBJECT_CLASS (tb_progress_parent_class)->finalize (object);
}

static void
tb_progress_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  TbProgress *self = TB_PROGRESS (object);

  switch (id)
    {
    case PROP_SHARE:
      g_value_set_double (value, self->share);
      break;
    case PROP_TEXT:
      g_value_set_string (value, self->text);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
tb_progress_class_init (TbProgressClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = tb_progress_finalize;
  object_class->get_property = tb_progress_get_property;
  props[PROP_SHARE] = g_param_spec_double ("share", NULL, NULL, 0, 1, 0,
                                           G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  props[PROP_TEXT]
      = g_param_spec_string ("text", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
tb_progress_init (TbProgress *self)
{
  g_mutex_init (&self->lock);
}

TbProgress *
tb_progress_new (void)
{
  return g_object_new (TB_TYPE_PROGRESS, NULL);
}

static gboolean
publish (gpointer data)
{
  TbProgress *self = data;
  g_autofree char *text = NULL;
  double share;

  g_mutex_lock (&self->lock);
  self->idle = 0;
  share = self->reported_share;
  text = g_strdup (self->reported_text);
  g_mutex_unlock (&self->lock);

  if (share != self->share)
    {
      self->share = share;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SHARE]);
    }
  if (g_set_str (&self->text, text))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TEXT]);
  return G_SOURCE_REMOVE;
}

/**
 * tb_progress_report:
 * @share: completed share, 0…1
 * @what: (nullable): current step, for display
 * @progress: (type TbProgress): receives the report
 *
 * A #TbProgressFunc that can be called from any thread and at any rate. The main context shows the
 * last report when it is idle.
 */
void
tb_progress_report (double share, const char *what, gpointer progress)
{
  TbProgress *self = progress;

  g_return_if_fail (TB_IS_PROGRESS (self));

  g_mutex_lock (&self->lock);
  self->reported_share = CLAMP (share, 0, 1);
  if (what != NULL)
    g_set_str (&self->reported_text, what);
  if (self->idle == 0)
    self->idle
        = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, publish, g_object_ref (self), g_object_unref);
  g_mutex_unlock (&self->lock);
}

double
tb_progress_get_share (TbProgress *self)
{
  g_return_val_if_fail (TB_IS_PROGRESS (self), 0);
  return self->share;
}

const char *
tb_progress_get_text (TbProgress *self)
{
  g_return_val_if_fail (TB_IS_PROGRESS (self), NULL);
  return self->text;
}
