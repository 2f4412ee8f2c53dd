/* tb-export.h: what libtailback-1 and libtailback-gtk-1 show to others
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#define TB_EXPORT __attribute__ ((visibility ("default"))) extern
