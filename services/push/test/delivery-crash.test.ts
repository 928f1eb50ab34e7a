import { testCrashes } from './delivery-crash.ts';

testCrashes({ count: 6_000, killsThird: false, answerMs: 400 });
