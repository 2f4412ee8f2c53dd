/* tb-module-symbols.h: where the names of each module come from, and why some are missing: storage
 * in the session; list of modules with the numbers of their addresses and of those without names,
 * counted for the list; sentences with remedies for the user
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

G_BEGIN_DECLS

/**
 * TbSymbolReason:
 * @TB_SYMBOL_REASON_NONE: nothing is known to be missing
 * @TB_SYMBOL_REASON_NO_FILE: there is no file at the recorded path or with the recorded build ID
 * @TB_SYMBOL_REASON_INVALID_FILE: the file is not a valid ELF file
 * @TB_SYMBOL_REASON_OTHER_BUILD: the file has another build ID
 * @TB_SYMBOL_REASON_OTHER_CODE: the code in the file is not where the mapped code was
 * @TB_SYMBOL_REASON_UNKNOWN_FILE: nothing shows that the file is the one that was recorded
 * @TB_SYMBOL_REASON_NO_SYMBOL: the file has no symbol at some addresses
 * @TB_SYMBOL_REASON_KERNEL: the names of the kernel are not available; see the detail
 * @TB_SYMBOL_REASON_OTHER_KERNEL: code that the kernel maps into processes, and another kernel
 * @TB_SYMBOL_REASON_OTHER_BOOT: generated code of a process of another boot or machine
 * @TB_SYMBOL_REASON_NO_PERF_MAP: generated code, and the process wrote no list of functions
 * @TB_SYMBOL_REASON_PERF_MAP: the list of generated functions cannot be used; see the detail
 * @TB_SYMBOL_REASON_NO_MODULE: no mapping was recorded at the addresses
 *
 * Why addresses have no names.
 */
typedef enum
{
  TB_SYMBOL_REASON_NONE,
  TB_SYMBOL_REASON_NO_FILE,
  TB_SYMBOL_REASON_INVALID_FILE,
  TB_SYMBOL_REASON_OTHER_BUILD,
  TB_SYMBOL_REASON_OTHER_CODE,
  TB_SYMBOL_REASON_UNKNOWN_FILE,
  TB_SYMBOL_REASON_NO_SYMBOL,
  TB_SYMBOL_REASON_KERNEL,
  TB_SYMBOL_REASON_OTHER_KERNEL,
  TB_SYMBOL_REASON_OTHER_BOOT,
  TB_SYMBOL_REASON_NO_PERF_MAP,
  TB_SYMBOL_REASON_PERF_MAP,
  TB_SYMBOL_REASON_NO_MODULE,
} TbSymbolReason;

/**
 * TB_N_SYMBOL_REASONS:
 *
 * Number of the values of [enum@SymbolReason].
 */
#define TB_N_SYMBOL_REASONS (TB_SYMBOL_REASON_NO_MODULE + 1)

/**
 * TbModuleSymbols:
 * @module: id, %TB_ID_NONE for addresses in no module
 * @path: path of the module, as recorded
 * @build_id: its build ID, "" if unknown
 * @n_addresses: number of distinct addresses in the recording
 * @n_unnamed: number of those that have no name
 * @is_unverified: whether the names are from a file that may be another one than the recorded file
 * @reason: why names are missing
 * @file: (nullable): the file from which the names are
 * @detail: (nullable): a sentence about the reason
 * @supplement: (nullable): build ID of the supplementary debug file that is missing, to which its
 *   debug file refers
 * @n_reused: addresses with the name of the last of several functions that had them, one after
 *   another; their names are unverified
 *
 * The names of a module.
 */
typedef struct
{
  guint32 module;
  const char *path;
  const char *build_id;
  guint64 n_addresses;
  guint64 n_unnamed;
  gboolean is_unverified;
  TbSymbolReason reason;
  char *file;
  char *detail;
  char *supplement;
  guint n_reused;
} TbModuleSymbols;

/**
 * TbDebuginfodRemedy:
 * @TB_DEBUGINFOD_REMEDY_NONE: debug files are received already, or cannot be
 * @TB_DEBUGINFOD_REMEDY_OPTION: the option --debuginfod receives them
 * @TB_DEBUGINFOD_REMEDY_PREFERENCE: a switch in the preferences does
 *
 * How the user of this program can have debug files received from servers.
 */
typedef enum
{
  TB_DEBUGINFOD_REMEDY_NONE,
  TB_DEBUGINFOD_REMEDY_OPTION,
  TB_DEBUGINFOD_REMEDY_PREFERENCE,
} TbDebuginfodRemedy;

TB_EXPORT void tb_module_symbols_set_debuginfod_remedy (TbDebuginfodRemedy remedy);
/* (transfer container) (element-type TbModuleSymbols): the modules with addresses, those with the
 * most addresses without names first. */
TB_EXPORT GPtrArray *tb_module_symbols_list (TbSession *session, GError **error);
TB_EXPORT const char *tb_symbol_reason_get_name (TbSymbolReason reason);
TB_EXPORT char *tb_module_symbols_describe (const TbModuleSymbols *self);

G_END_DECLS
