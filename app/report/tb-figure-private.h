/* tb-figure-private.h: what the kinds of figures share
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "report/tb-figure.h"

G_BEGIN_DECLS

void tb_figure_set_names (TbFigure *self, const char *id, const char *title);

G_END_DECLS
