"""A veth pair into another network namespace, made without an external program."""
# SPDX-License-Identifier: GPL-3.0-or-later

import fcntl
import socket
import struct

# linux/rtnetlink.h, linux/if_link.h, linux/veth.h, linux/sockios.h
RTM_NEWLINK, RTM_DELLINK = 16, 17
NLM_F_REQUEST, NLM_F_ACK, NLM_F_EXCL, NLM_F_CREATE = 1, 4, 0x200, 0x400
IFLA_IFNAME, IFLA_LINKINFO, IFLA_NET_NS_PID = 3, 18, 19
IFLA_INFO_KIND, IFLA_INFO_DATA, VETH_INFO_PEER = 1, 2, 1
SIOCSIFFLAGS, SIOCSIFADDR, SIOCSIFNETMASK = 0x8914, 0x8916, 0x891C
IFF_UP = 1


def attribute(kind, data):
    return struct.pack("=HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def ask_kernel(kind, flags, body):
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as route:
        body = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, 0, 0, 0) + body
        route.send(struct.pack("=IHHII", 16 + len(body), kind, NLM_F_REQUEST | NLM_F_ACK | flags, 1, 0) + body)
        error = struct.unpack_from("=i", route.recv(65536), 16)[0]
    if error != 0:
        raise OSError(-error, "the kernel refuses a virtual cable")


def create(near, far, pid):
    """Make a veth pair from an interface here to one in the network namespace of the process."""
    peer = struct.pack("=BxHiII", socket.AF_UNSPEC, 0, 0, 0, 0) + attribute(IFLA_IFNAME, far.encode() + b"\0")
    peer += attribute(IFLA_NET_NS_PID, struct.pack("=I", pid))
    link = attribute(IFLA_INFO_KIND, b"veth") + attribute(IFLA_INFO_DATA, attribute(VETH_INFO_PEER, peer))
    ask_kernel(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL,
               attribute(IFLA_IFNAME, near.encode() + b"\0") + attribute(IFLA_LINKINFO, link))


def delete(near):
    ask_kernel(RTM_DELLINK, 0, attribute(IFLA_IFNAME, near.encode() + b"\0"))


def set_up(name, address):
    """Set the interface up with an address in a network of four addresses."""
    def request(text):
        return struct.pack("=16sHH4s16x", name.encode(), socket.AF_INET, 0, socket.inet_aton(text))

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFADDR, request(address))
        fcntl.ioctl(any_socket, SIOCSIFNETMASK, request("255.255.255.252"))
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("=16sH22x", name.encode(), IFF_UP))
