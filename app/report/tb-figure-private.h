/* tb-figure-private.h: what the kinds of figures share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

/* Data that were handed over for a figure and are none: the first fault is told by who asks for the report. */
void tb_figure_add_fault (TbFigure *self, const char *fault);

#define tb_figure_return_if_fault(self, condition, fault)                                                    \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    if (!(condition))                                                                                        \
      {                                                                                                      \
        tb_figure_add_fault (TB_FIGURE (self), fault);                                                       \
        return;                                                                                              \
      }                                                                                                      \
  }                                                                                                          \
  G_STMT_END

#define tb_figure_return_val_if_fault(self, condition, fault, value)                                         \
  G_STMT_START                                                                                               \
  {                                                                                                          \
    if (!(condition))                                                                                        \
      {                                                                                                      \
        tb_figure_add_fault (TB_FIGURE (self), fault);                                                       \
        return (value);                                                                                      \
      }                                                                                                      \
  }                                                                                                          \
  G_STMT_END

void tb_figure_set_names (TbFigure *self, const char *id, const char *title);

G_END_DECLS
