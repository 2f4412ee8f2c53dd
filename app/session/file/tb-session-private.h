/* tb-session-private.h: struct of TbSession, and functions of the files that implement it: loading,
 * function names, additions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session-facts-private.h"
#include "session/file/tb-session.h"
#include "session/file/tb-store-private.h"
#include "session/file/tb-table-private.h"

G_BEGIN_DECLS

typedef struct _TbFrameNames TbFrameNames;

struct _TbSession
{
  GObject parent_instance;

  GFile *file;
  char *display_name;
  TbStore *store;
  gboolean cut_short;
  gint writable; /* atomic: becomes FALSE when a write fails */

  /* Constant once the session is loaded. */
  GStringChunk *text;
  guint64 text_size;
  GArray *hosts;
  GArray *processes;
  GArray *threads;
  GArray *thread_names;
  GArray *modules;
  GArray *devices;
  GArray *interfaces;         /* NULL: not recorded */
  GPtrArray *interface_texts; /* texts that the strings of interfaces point into */
  GArray *module_files;       /* tb-session-module-files.c; NULL: not recorded */
  GPtrArray *strings;
  GPtrArray *warnings; /* NULL-terminated once loaded */
  TbTable *tables[TB_N_TABLES];

  /* Protected by lock. Replaced arrays stay in `retired` until the session is freed, because
   * readers may still use them. */
  GMutex lock;
  GHashTable *facts; /* text → text */
  GArray *mappings;  /* loaded at the first access */
  GArray *bookmarks;
  GPtrArray *retired;
  GHashTable *reports;       /* name → Report: the reports that could not be saved */
  GHashTable *unsaved_facts; /* names of the facts that could not be saved */

  TbFrameNames *names;
};

/* tb-session-load.c */
gboolean tb_session_load (TbSession *self, GError **error);
gboolean tb_session_load_mappings (TbSession *self, GError **error);
void tb_session_set_damaged_error (TbSession *self, const char *what, GError **error);

/* tb-session-interfaces.c */
gboolean tb_session_load_interfaces (TbSession *self, GError **error);

/* tb-session-module-files.c */
gboolean tb_session_load_module_files (TbSession *self, GError **error);

/* tb-frame-names.c */
TbFrameNames *tb_frame_names_new (TbSession *session, guint64 n_frames);
void tb_frame_names_free (TbFrameNames *self);
/* Fails if the names in the file are damaged. */
gboolean tb_frame_names_check (TbFrameNames *self, GError **error);
/* Writes the names that could not be saved to a copy of the session. */
gboolean tb_frame_names_save (TbFrameNames *self, TbSessionFile *file, GError **error);

/* tb-session-additions.c */
/* Writes in a transaction if the session is writable. If that fails, the session becomes read-only
 * and the error describes that. */
typedef gboolean (*TbSessionWrite) (TbSessionFile *file, gpointer data, GError **error);
gboolean tb_session_write (TbSession *self, TbSessionWrite write, gpointer data, GError **error);
gboolean tb_session_write_columns (TbStore *store,
                                   TbSessionFile *file,
                                   TbTableKind kind,
                                   GBytes **columns,
                                   guint64 n_rows,
                                   TbTableIndex *index,
                                   GCancellable *cancellable,
                                   GError **error);
gboolean tb_session_save_additions (TbSession *self,
                                    TbSessionFile *file,
                                    GCancellable *cancellable,
                                    GError **error);
void tb_session_free_report (gpointer report);

G_END_DECLS
