export { blocksOf } from './blocks-of.ts';
export { keyExchange } from './key-exchange.ts';
export { type TestDatabase, testDatabase } from './postgres.ts';
export {
  type Actor,
  adminActor,
  partnerActor,
  playerActor,
  type Refusal,
  type ServiceHarness,
  startServiceHarness,
  type TestReply,
  testApiKey,
} from './service-harness.ts';
