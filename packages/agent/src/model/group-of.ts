import type { GroupId } from '@setkeeper/ipset';

/** The group of a tag that is known to be a valid id. */
export const tagGroup = (tag: string): GroupId => `tag:${tag}` as GroupId;
/** The group of the endpoints of a tag that have a port of this name. */
export const portGroup = (tag: string, port: string): GroupId => `port:${tag}/${port}` as GroupId;
/** The group of a network. */
export const networkGroup = (id: string): GroupId => `net:${id}` as GroupId;
/** The group of a list. */
export const listGroup = (id: string): GroupId => `list:${id}` as GroupId;
/** The group of the addresses of all hosts. */
export const HOSTS_GROUP = 'hosts:all' as GroupId;
