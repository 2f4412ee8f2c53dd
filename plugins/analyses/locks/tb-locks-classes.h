/* tb-locks-classes.h: classes of locks, which were made or are taken in one function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-lock-summary.h"

G_BEGIN_DECLS

/* Joins locks that are made or taken in one function to classes, finishes all summaries and sorts
 * them. */
void tb_locks_form_classes (TbLocksSummary *summary);

G_END_DECLS
