//! State that other libraries keep with an object: compiled kernels, tables, counters.

use std::any::{Any, TypeId};
use std::sync::{Arc, PoisonError, RwLock};

/// One value of any type, for each type that somebody asked for.
#[derive(Default)]
pub(crate) struct Attachments(RwLock<Vec<(TypeId, Arc<dyn Any + Send + Sync>)>>);

impl Attachments {
    /// The value of type `T`, created by `Default` on first use.
    pub(crate) fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        // A panic in another thread's `T::default` leaves the list as it was. There are a handful
        // of types at most, so a list is searched faster than a table.
        let find = |list: &[(TypeId, Arc<dyn Any + Send + Sync>)]| {
            let (_, value) = list.iter().find(|(id, _)| *id == TypeId::of::<T>())?;
            Arc::clone(value).downcast().ok()
        };
        if let Some(value) = find(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return value;
        }
        let mut list = self.0.write().unwrap_or_else(PoisonError::into_inner);
        find(&list).unwrap_or_else(|| {
            let value = Arc::new(T::default());
            list.push((TypeId::of::<T>(), value.clone()));
            value
        })
    }
}
