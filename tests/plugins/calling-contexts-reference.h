/* calling-contexts-reference.h: slow reference implementation of IntroPerf's algorithms, as the
 * paper states them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "call-inference/tb-contexts-inference.h"

/* One event of a thread, in order of time. */
typedef enum
{
  STEP_STACK, /* context: index of a stack */
  STEP_ENTER_CALL,
  STEP_LEAVE_CALL,
  STEP_OFF_CPU,
  STEP_ON_CPU,
  STEP_EXEC,
  STEP_FORK, /* the thread is new, and runs from its first switch-in */
  STEP_CLOSE,
} StepKind;

typedef struct
{
  StepKind kind;
  gint64 time;
  guint32 node;
} Step;

/* Tree of calling contexts, by Algorithm 1. Functions from first_kernel on belong to the kernel. */
typedef struct
{
  GArray *parent; /* guint32, by node */
  GArray *depth;
  GArray *function;
  GArray *kernel; /* guint8 */
  TbContextsTree tree;
} ReferenceTree;

void reference_tree_init (ReferenceTree *self);
void reference_tree_clear (ReferenceTree *self);
guint32
reference_tree_get (ReferenceTree *self, const guint *functions, guint n, guint first_kernel);

/* TbContextsInstance in order of their ends. Times must be small: every ns is visited. */
GArray *reference_infer (const ReferenceTree *tree, const Step *steps, guint n_steps, gint64 end);
void assert_same_instances (const GArray *found, const GArray *expected);
