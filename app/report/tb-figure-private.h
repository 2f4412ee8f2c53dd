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
/* Likewise, with the place of the data in the figure, such as "row 3, column “wait”", which the
 * author of a plug-in needs to find them. */
void tb_figure_add_fault_at (TbFigure *self, const char *fault, const char *place, ...)
    G_GNUC_PRINTF (3, 4);

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

#define tb_figure_return_if_fault_at(self, condition, fault, ...)                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(condition))                                                                              \
      {                                                                                            \
        tb_figure_add_fault_at (TB_FIGURE (self), fault, __VA_ARGS__);                             \
        return;                                                                                    \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

#define tb_figure_return_val_if_fault_at(self, condition, value, fault, ...)                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(condition))                                                                              \
      {                                                                                            \
        tb_figure_add_fault_at (TB_FIGURE (self), fault, __VA_ARGS__);                             \
        return (value);                                                                            \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

void tb_figure_set_names (TbFigure *self, const char *id, const char *title);

G_END_DECLS
