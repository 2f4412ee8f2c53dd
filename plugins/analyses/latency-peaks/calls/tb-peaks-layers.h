/* tb-peaks-layers.h: comparison of layers: the examined calls, the probed functions and system
 * calls around them, and the system calls and device requests in them, as histograms in a figure
 * and JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "drill/tb-peaks-result.h"

G_BEGIN_DECLS

typedef struct
{
  TbPeaksKind kind; /* function, system call or block */
  TbPeaksHistogram *histogram;
} TbPeaksLayer;

/* The layers of the examined calls: those of the chosen or drawn peak, else all. Below a call are
 * the system calls and the device requests that its thread made in it. Above it is the innermost
 * probed function that contains it, counted once however many such calls it contains. The operation
 * itself is one of the layers. The outermost layer comes first; layers without calls are left out.
 * (element-type TbPeaksLayer) */
GPtrArray *tb_peaks_find_layers (const TbPeaksResult *result);
/* Adds the figure if there are at least two layers. */
void tb_peaks_layers_add_figure (TbReport *report, const TbPeaksResult *result);
void tb_peaks_layers_to_json (JsonBuilder *builder, const TbPeaksResult *result);

G_END_DECLS
