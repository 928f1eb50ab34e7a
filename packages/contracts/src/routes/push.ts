export * from './certifications.ts';
export * from './notification-filters.ts';
export * from './push-notifications.ts';
export * from './pushbox.ts';
