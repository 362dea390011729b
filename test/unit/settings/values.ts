import type { PlainValues } from '../../../src/shared/settings';

/** A value for each plain field, none of them the default. */
export const values: PlainValues = {
  llm_model: 'anthropic/claude',
  llm_base_url: 'https://llm.example.com',
  agent: 'CodeActAgent',
  language: 'de',
  confirmation_mode: true,
  security_analyzer: 'llm',
  enable_default_condenser: false,
  max_iterations: 120,
  max_budget_per_task: 12.5,
  remote_runtime_resource_factor: 2,
  sandbox_base_container_image: 'base:1',
  sandbox_runtime_container_image: 'runtime:1',
  git_user_name: 'Ada',
  git_user_email: 'ada@example.com',
  enable_sound_notifications: true,
  enable_proactive_conversation_starters: false,
  enable_solvability_analysis: false,
  user_consents_to_analytics: true,
};

/** A different value for each. */
export const otherValues: PlainValues = {
  llm_model: 'openai/gpt',
  llm_base_url: 'https://other.example.com',
  agent: 'OtherAgent',
  language: 'fr',
  confirmation_mode: false,
  security_analyzer: 'none',
  enable_default_condenser: true,
  max_iterations: 7,
  max_budget_per_task: 3,
  remote_runtime_resource_factor: 4,
  sandbox_base_container_image: 'base:2',
  sandbox_runtime_container_image: 'runtime:2',
  git_user_name: 'Grace',
  git_user_email: 'grace@example.com',
  enable_sound_notifications: false,
  enable_proactive_conversation_starters: true,
  enable_solvability_analysis: true,
  user_consents_to_analytics: false,
};
