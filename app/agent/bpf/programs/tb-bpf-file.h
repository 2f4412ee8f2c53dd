/* tb-bpf-file.h: file behind a block I/O request, found by the page of its data or, for direct
 * I/O, by the descriptor in the running thread's system call; record with the parts of a file's
 * path, emitted once per CPU; kernel structures for both
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#pragma once

#include "tb-bpf-common.h"

#include "tb-bpf-sources.h"
#include "tb-bpf-syscall.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hlist_node
{
  struct hlist_node *next;
};

struct hlist_head
{
  struct hlist_node *first;
};

struct hlist_bl_node
{
  struct hlist_bl_node **pprev;
};

struct qstr
{
  u64 hash_len;
  const unsigned char *name;
};

struct dentry
{
  struct hlist_bl_node d_hash;
  struct dentry *d_parent;
  struct qstr d_name;
  union
  {
    struct hlist_node d_alias;
  } d_u;
};

struct gendisk
{
  int major;
  int first_minor;
  char disk_name[32];
};

struct block_device
{
  struct gendisk *bd_disk;
};

struct super_block
{
  u32 s_dev;
  struct block_device *s_bdev;
};

struct inode
{
  unsigned short i_mode;
  struct super_block *i_sb;
  unsigned long i_ino;
  u32 i_generation;
  struct hlist_head i_dentry;
};

struct address_space
{
  struct inode *host;
};

struct page
{
  unsigned long compound_head;
  struct address_space *mapping;
};

struct bio_vec
{
  struct page *bv_page;
};

struct bvec_iter
{
  unsigned int bi_idx;
};

struct bio
{
  struct bvec_iter bi_iter;
  struct bio_vec *bi_io_vec;
};

struct request_queue
{
  struct gendisk *disk;
};

struct request
{
  struct request_queue *q;
  unsigned int cmd_flags;
  unsigned int __data_len;
  u64 __sector;
  struct bio *bio;
};

struct file
{
  struct inode *f_inode;
  unsigned int f_flags;
};

struct fdtable
{
  unsigned int max_fds;
  struct file **fd;
};

struct files_struct
{
  struct fdtable *fdt;
};

struct task_struct___files
{
  struct files_struct *files;
};

#pragma clang attribute pop

#define TB_S_IFMT 0170000
#define TB_S_IFREG 0100000
#ifdef __TARGET_ARCH_arm64
#  define TB_O_DIRECT 0200000
#else
#  define TB_O_DIRECT 040000
#endif
#define TB_OP_READ 0u
#define TB_OP_WRITE 1u
#define TB_MAX_DEPTH 64

/* Files whose paths were emitted. A path is emitted again when the file is renamed, and by every
 * CPU, so that it is in the CPU's ring before the request. */
typedef struct
{
  TbBpfFileId file;
  u32 cpu;
  u32 unused;
} TbEmittedFile;

struct
{
  __uint (type, BPF_MAP_TYPE_LRU_HASH);
  __uint (max_entries, 16384);
  __type (key, TbEmittedFile);
  __type (value, u64);
} tb_emitted_files SEC (".maps");

TB_BPF_SCRATCH (tb_file_scratch, TbBpfFile, TB_BPF_FILE_NAMES + 256);

/* Whether the file system is on that disk, or on a disk made of such disks. Only then the request
 * is for the file. For instance, requests of a loop device become requests of the disk below it
 * with the same pages, but there they are for another file. */
static __always_inline bool
tb_is_on_disk (struct inode *inode, struct gendisk *disk)
{
  struct gendisk *own = BPF_CORE_READ (inode, i_sb, s_bdev, bd_disk);
  char name[4] = { 0 };

  if (own == NULL)
    return false;
  if (own == disk)
    return true;
  bpf_core_read (name, sizeof name, &own->disk_name);
  return (name[0] == 'd' && name[1] == 'm' && name[2] == '-') || (name[0] == 'm' && name[1] == 'd');
}

static __always_inline struct inode *
tb_check_file (struct inode *inode, struct gendisk *disk)
{
  if (inode == NULL || (BPF_CORE_READ (inode, i_mode) & TB_S_IFMT) != TB_S_IFREG
      || !tb_is_on_disk (inode, disk))
    return NULL;
  return inode;
}

/* The file whose descriptor the running thread is reading from or writing to */
static __always_inline struct file *
tb_get_file_of_call (bool writes)
{
  struct task_struct___files *task = (void *) bpf_get_current_task_btf ();
  struct file **slots, *file = NULL;
  struct fdtable *table;
  TbCall call;
  u32 fd;

  if (!tb_get_call (&call))
    return NULL;
  switch (call.number)
    {
    case TB_NR_READ:
    case TB_NR_READV:
    case TB_NR_PREAD64:
    case TB_NR_PREADV:
    case TB_NR_PREADV2:
      if (writes)
        return NULL;
      break;
    case TB_NR_WRITE:
    case TB_NR_WRITEV:
    case TB_NR_PWRITE64:
    case TB_NR_PWRITEV:
    case TB_NR_PWRITEV2:
      if (!writes)
        return NULL;
      break;
    default:
      return NULL;
    }
  fd = (u32) call.args[0];
  table = BPF_CORE_READ (task, files, fdt);
  if (table == NULL || fd >= BPF_CORE_READ (table, max_fds))
    return NULL;
  slots = BPF_CORE_READ (table, fd);
  bpf_core_read (&file, sizeof file, &slots[fd]);
  return file;
}

/* Finds the file of a request. Page-cache memory belongs to its file. For memory of a program it is
 * the file that the thread is reading or writing directly. Otherwise the file is unknown, for
 * instance for metadata of the file system. */
static __always_inline struct inode *
tb_find_inode (struct request *request, struct gendisk *disk)
{
  u32 operation = BPF_CORE_READ (request, cmd_flags) & 0xff, index;
  struct bio *bio = BPF_CORE_READ (request, bio);
  struct address_space *mapping;
  struct bio_vec *pieces;
  struct page *page = NULL;
  unsigned long head;
  struct file *file;

  if (operation > TB_OP_WRITE || bio == NULL)
    return NULL;
  index = BPF_CORE_READ (bio, bi_iter.bi_idx);
  pieces = BPF_CORE_READ (bio, bi_io_vec);
  bpf_core_read (&page, sizeof page, &pieces[index].bv_page);
  if (page == NULL)
    return NULL;
  head = BPF_CORE_READ (page, compound_head);
  if ((head & 1) != 0)
    page = (struct page *) (head - 1);
  mapping = BPF_CORE_READ (page, mapping);
  if (mapping != NULL && ((unsigned long) mapping & 3) == 0)
    return tb_check_file (BPF_CORE_READ (mapping, host), disk);
  file = tb_get_file_of_call (operation == TB_OP_WRITE);
  if (file == NULL || (BPF_CORE_READ (file, f_flags) & TB_O_DIRECT) == 0)
    return NULL;
  return tb_check_file (BPF_CORE_READ (file, f_inode), disk);
}

/* Emits the path of the file unless it was emitted before. */
static __always_inline void
tb_emit_file (const TbProgramContext *place, struct inode *inode, const TbBpfFileId *id)
{
  struct hlist_node *alias = BPF_CORE_READ (inode, i_dentry.first);
  TbEmittedFile key = { *id, place->number, 0 };
  struct tb_file_scratch_buffer *scratch;
  struct dentry *entry, *parent;
  struct task_struct *task;
  u64 emitted, *before;
  u32 length = 0;
  char *names;

  if (alias == NULL)
    return;
  entry = (void *) alias - bpf_core_field_offset (struct dentry, d_u.d_alias);
  parent = BPF_CORE_READ (entry, d_parent);
  emitted = BPF_CORE_READ (entry, d_name.hash_len) ^ (u64) parent << 16 ^ (u64) entry
            ^ (BPF_CORE_READ (entry, d_hash.pprev) == NULL);
  before = bpf_map_lookup_elem (&tb_emitted_files, &key);
  if (before != NULL && *before == emitted)
    return;
  scratch = tb_scratch (&tb_file_scratch);
  if (scratch == NULL)
    return;
  scratch->record.deleted = BPF_CORE_READ (entry, d_hash.pprev) == NULL;
  names = (char *) scratch->rest;
  for (int depth = 0; parent != NULL && parent != entry; depth++)
    {
      long got;

      if (depth == TB_MAX_DEPTH || length >= TB_BPF_FILE_NAMES)
        return;
      got = bpf_probe_read_kernel_str (names + (length & (TB_BPF_FILE_NAMES - 1)), 256,
                                       BPF_CORE_READ (entry, d_name.name));
      if (got <= 1)
        return;
      length += (u32) got;
      entry = parent;
      parent = BPF_CORE_READ (entry, d_parent);
    }
  barrier_var (length);
  if (length == 0 || length > TB_BPF_FILE_NAMES)
    return;
  task = bpf_get_current_task_btf ();
  tb_fill (&scratch->record.header, place, TB_BPF_FILE, 0, task->pid, task->tgid);
  scratch->record.file = *id;
  scratch->record.length = length;
  if (tb_output (place, scratch, sizeof (TbBpfFile) + length))
    bpf_map_update_elem (&tb_emitted_files, &key, &emitted, BPF_ANY);
}
