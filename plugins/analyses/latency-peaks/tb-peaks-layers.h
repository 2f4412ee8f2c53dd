/* tb-peaks-layers.h: the same calls as functions, system calls and requests to devices
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-result.h"

G_BEGIN_DECLS

typedef struct
{
  TbPeaksKind kind; /* function, system call or block */
  TbPeaksHistogram *histogram;
} TbPeaksLayer;

/* Of the calls that are asked about: those of the peak chosen or drawn, else all. Below a call lie the system calls that its thread
 * made in it and the requests that it made; above it is the innermost probed function that it lies in, once however many such calls
 * lie in it. The operation itself is one of the layers, the outermost comes first; those without calls are left out.
 * (element-type TbPeaksLayer) */
GPtrArray *tb_peaks_find_layers (const TbPeaksResult *result);
/* Where there are two at least. */
void tb_peaks_layers_add_figure (TbReport *report, const TbPeaksResult *result);
void tb_peaks_layers_to_json (JsonBuilder *builder, const TbPeaksResult *result);

G_END_DECLS
