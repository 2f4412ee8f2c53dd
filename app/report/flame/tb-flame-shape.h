/* tb-flame-shape.h: other ways to look at the same flame
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <gio/gio.h>

#include "report/flame/tb-flame-figure.h"

G_BEGIN_DECLS

/**
 * TbFlameShape:
 * @inverted: from each function to its callers, else from callers to callees
 * @function: (nullable): only from this function on: what it calls, or, inverted, what calls it
 * @module: (nullable): the module of @function
 * @collapse_recursion: a function that is called, through whatever, by itself is one with it
 * @hidden: (nullable) (array zero-terminated=1): modules whose functions are left out: their weight is that of their callers
 * @by_name: siblings stand in the order of their names, else the heaviest first
 * @swapped: the weights of the base take the place of the others
 * @progress: (nullable): how far it is, per mille: set atomically while the figure is made
 *
 * A way to look at a flame. A chronological figure is merged whatever else is wanted.
 */
typedef struct
{
  gboolean inverted;
  const char *function;
  const char *module;
  gboolean collapse_recursion;
  const char *const *hidden;
  gboolean by_name;
  gboolean swapped;
  gint *progress;
} TbFlameShape;

/**
 * TbFlameReshaped:
 * @figure: frozen; its items mean nothing to others
 * @origin: by node of it: a node of the figure it was made of, the heaviest of those it stands for, or %TB_ID_NONE
 * @place: by node of the figure it was made of: where that is now, or %TB_ID_NONE
 */
typedef struct
{
  TbFlameFigure *figure;
  guint *origin;
  guint *place;
} TbFlameReshaped;

TB_EXPORT TbFlameReshaped *tb_flame_figure_reshape (TbFlameFigure *self,
                                                    const TbFlameShape *shape,
                                                    GCancellable *cancellable,
                                                    GError **error);
TB_EXPORT void tb_flame_reshaped_free (TbFlameReshaped *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TbFlameReshaped, tb_flame_reshaped_free)

G_END_DECLS
