export { installedProgram } from './debian.ts';
export { type Engine, type StoredEngine, startEngine } from './engine-process.ts';
export { type KafkaEngine, type SecuredKafkaEngine, startKafka, startSecuredKafka } from './kafka.ts';
export { type KeycloakEngine, startKeycloak } from './keycloak.ts';
export { type MongoEngine, startMongo } from './mongodb.ts';
export { type PostgresEngine, startPostgres } from './postgres.ts';
export { type PythonTool, preparePythonTool } from './python-tool.ts';
export { type S3Engine, startS3 } from './s3.ts';
export { prepareSchemathesis, type Schemathesis } from './schemathesis.ts';
