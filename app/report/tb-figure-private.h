/* tb-figure-private.h: faults in the data passed to a figure of any kind, recorded by checks, and
 * setting of its id and title
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

/* Records invalid data that were passed to a figure. The first fault is reported to the caller that
 * requests the report. */
void tb_figure_add_fault (TbFigure *self, const char *fault);

#define tb_figure_return_if_fault(self, condition, fault)                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(condition))                                                                              \
      {                                                                                            \
        tb_figure_add_fault (TB_FIGURE (self), fault);                                             \
        return;                                                                                    \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

#define tb_figure_return_val_if_fault(self, condition, fault, value)                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(condition))                                                                              \
      {                                                                                            \
        tb_figure_add_fault (TB_FIGURE (self), fault);                                             \
        return (value);                                                                            \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

void tb_figure_set_names (TbFigure *self, const char *id, const char *title);

G_END_DECLS
