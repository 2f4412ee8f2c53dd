/* tb-export.h: macro TB_EXPORT, which makes a function public in libtailback-1 and
 * libtailback-gtk-1
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define TB_EXPORT __attribute__ ((visibility ("default"))) extern
