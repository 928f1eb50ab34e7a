export type { Engine } from './engine-process.ts';
export { type KafkaEngine, startKafka } from './kafka.ts';
