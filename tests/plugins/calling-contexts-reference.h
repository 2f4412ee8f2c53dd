/* calling-contexts-reference.h: the algorithms of IntroPerf as the paper writes them down, slowly; random traces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-contexts-inference.h"

/* What a thread does, in order of time. */
typedef enum
{
  STEP_STACK, /* context: index of a stack */
  STEP_ENTER_CALL,
  STEP_LEAVE_CALL,
  STEP_OFF_CPU,
  STEP_ON_CPU,
  STEP_EXEC,
  STEP_FORK, /* it is new, and runs from when it gets a cpu */
  STEP_CLOSE,
} StepKind;

typedef struct
{
  StepKind kind;
  gint64 time;
  guint32 node;
} Step;

/* The calling contexts, by Algorithm 1. Functions from first_kernel on are of the kernel. */
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
guint32 reference_tree_get (ReferenceTree *self, const guint *functions, guint n, guint first_kernel);

/* TbContextsInstance, in the order in which they end. Times are small: each ns is looked at. */
GArray *reference_infer (const ReferenceTree *tree, const Step *steps, guint n_steps, gint64 end);
void assert_same_instances (const GArray *found, const GArray *expected);
