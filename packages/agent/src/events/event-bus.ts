import type { AgentEvent } from '@setkeeper/api';

/** What the parts of the agent say to the world; ids, times and the ring are the stream's. */
export interface EventBus {
  emit(event: Omit<AgentEvent, 'id' | 'at'>): void;
}
