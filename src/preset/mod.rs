//! Settings and the named policies (presets) that set them.
//!
//! A preset is a commented TOML file. Layers of TOML are merged key by key (preset, configuration, environment, flags),
//! then read once into [`Settings`], where nothing is optional that a stage needs. Unknown keys are errors.

mod choices;
mod layers;
mod overrides;
mod settings;
mod summary;
mod tools;

pub use choices::{
    Comparison, ContinuationRule, CutBy, Estimate, LlmKind, Measure, MediaInTail, Mode, Oversize, Place, PrunePolicy,
    PruneScope, Retain, Stages, SummarizerKind, Thinking, Walk, When,
};
pub use layers::{Layer, Merged, Origin, Preset, PresetError, merge, preset_layers, presets};
pub use overrides::{Override, overrides};
pub use settings::{
    ContinuationSettings, Limits, LlmSettings, OutputSettings, OverflowSettings, PruneSettings, Settings, SplitSettings,
};
pub use summary::SummarySettings;
pub use tools::ProtectedTools;
